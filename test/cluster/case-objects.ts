import type { Claim, Namespace } from '../../lib/kubernetes/objects.ts';
import type { ClusterClient } from '../support/cluster-client.ts';

/** A pod that uses a claim. On a node it also holds the claim when that is deleted. */
export function podUsing({ metadata: { namespace = '', name: claimName } }: Claim, nodeName?: string) {
  const volumes = [{ name: 'data', persistentVolumeClaim: { claimName } }];
  const containers = [{ name: 'database', image: 'database' }];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace, name: 'database-0' },
    spec: { volumes, containers, ...(nodeName ? { nodeName } : {}) },
  };
}

/** No kubelet is there to end a pod, so it is deleted at once. */
export async function deletePod(client: ClusterClient, pod: ReturnType<typeof podUsing>): Promise<void> {
  await client.delete(pod, 0);
  await client.untilGone(pod);
}

/** Makes an object of the user's own that a namespace is limited by, and waits until the server acts on it. */
export async function limitBy(client: ClusterClient, namespace: string, hard: Record<string, string>) {
  const quota = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { namespace, name: 'few' }, spec: { hard } };
  await client.create(quota);
  await client.until<typeof quota & { status?: { hard?: object } }>(quota, ({ status }) => status?.hard !== undefined);
  return quota;
}

export function namespaceOf({ metadata }: { metadata: { namespace?: string } }): Namespace {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name: metadata.namespace ?? '' } };
}

/** Takes a finalizer off as its owner does: again, when somebody else has changed the object meanwhile. */
export async function dropFinalizer(client: ClusterClient, claim: Claim, finalizer: string): Promise<void> {
  for (;;) {
    const found = await client.get<Claim>(claim);
    const { finalizers = [], resourceVersion } = found?.metadata ?? {};
    if (!finalizers.includes(finalizer)) return;
    const metadata = { finalizers: finalizers.filter((each) => each !== finalizer), resourceVersion };
    const isDone = await client.change(claim, { metadata }).then(
      () => true,
      (error: { code?: number }) => {
        if (error.code !== 409) throw error;
        return false;
      },
    );
    if (isDone) return;
  }
}

/** Whoever deletes the target may be quicker to make another claim of its name. */
export async function takeName(client: ClusterClient, { target }: { target: Claim }): Promise<Claim> {
  const { namespace = '', name } = target.metadata;
  const metadata = { namespace, name };
  const squatter: Claim = { ...target, metadata };
  for (;;) {
    await client.delete(target);
    const made = await client.create(squatter).catch((error: { code?: number }) => {
      if (error.code !== 409) throw error;
      return undefined;
    });
    if (made) return squatter;
  }
}
