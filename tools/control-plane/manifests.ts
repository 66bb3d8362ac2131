import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  CoreV1Api,
  KubeConfig,
  type KubernetesObject,
  KubernetesObjectApi,
  loadAllYaml,
  PatchStrategy,
} from '@kubernetes/client-node';
import { kubeconfigOf } from './kubeconfig.ts';

const manifests = fileURLToPath(new URL('../../manifests', import.meta.url));
const systemNamespace = 'longshore-system';
const tokenLifetimeSeconds = 24 * 3600;

/** What is applied when somebody runs `kubectl apply --recursive -f manifests`, in an order that needs no second try. */
export async function applyManifests(kubeconfigPath: string): Promise<void> {
  const client = KubernetesObjectApi.makeApiClient(load(kubeconfigPath));
  const objects = await readManifests();
  for (const object of objects) {
    await client.patch(object, undefined, undefined, 'longshore-installer', true, PatchStrategy.ServerSideApply);
  }
  for (const { kind, metadata } of objects) {
    if (kind === 'CustomResourceDefinition') await untilServed(client, metadata?.name ?? '');
  }
}

async function readManifests(): Promise<KubernetesObject[]> {
  const files = (await readdir(manifests, { recursive: true })).filter((file) => file.endsWith('.yaml')).sort();
  const texts = await Promise.all(files.map((file) => readFile(join(manifests, file), 'utf8')));
  const objects = texts.flatMap((text) => loadAllYaml(text) as KubernetesObject[]);
  return [...objects.filter(({ kind }) => kind === 'Namespace'), ...objects.filter(({ kind }) => kind !== 'Namespace')];
}

async function untilServed(client: KubernetesObjectApi, name: string): Promise<void> {
  for (;;) {
    const definition = (await client.read({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name },
    })) as KubernetesObject & { status?: { conditions?: { type: string; status: string }[] } };
    const served = definition.status?.conditions?.some(
      ({ type, status }) => type === 'Established' && status === 'True',
    );
    if (served) return;
  }
}

/** A kubeconfig for one function's own service account: what it may do is what its role in manifests/rbac allows. */
export async function functionKubeconfig(kubeconfigPath: string, functionName: string): Promise<string> {
  const config = load(kubeconfigPath);
  const { status } = await config.makeApiClient(CoreV1Api).createNamespacedServiceAccountToken({
    name: functionName,
    namespace: systemNamespace,
    body: {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: { audiences: [], expirationSeconds: tokenLifetimeSeconds },
    },
  });
  const cluster = config.getCurrentCluster();
  const certificateAuthority = Buffer.from(cluster?.caData ?? '', 'base64').toString('utf8');
  return kubeconfigOf({ server: cluster?.server ?? '', certificateAuthority, token: status?.token ?? '' });
}

function load(kubeconfigPath: string): KubeConfig {
  const config = new KubeConfig();
  config.loadFromFile(kubeconfigPath);
  return config;
}
