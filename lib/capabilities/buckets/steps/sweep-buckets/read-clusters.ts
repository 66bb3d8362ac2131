import type { Name } from '../../../../kubernetes/brands.ts';
import type { Cluster } from '../../../../kubernetes/cluster.ts';
import { clustersAtOnce, inTime } from '../../../../kubernetes/each-cluster.ts';
import type { Secret } from '../../../../kubernetes/objects.ts';
import { isLegalName, nameOf, resources } from '../../../../kubernetes/resources.ts';
import type { ReadingFor } from '../../../../reconcile/handler-runtime.ts';
import { mapConcurrently } from '../../../../runtime/map-concurrently.ts';
import type { MemoryPool } from '../../../../runtime/memory/pool.ts';
import { redactedMessageOf } from '../../../../runtime/redaction.ts';
import type { Parameters } from '../../drivers/driver.ts';
import { sourceSecretNameOf, systemNamespace } from '../../names.ts';
import { decode } from '../../secrets.ts';
import { type ClusterView, type HeldKeys, type PlacedContent, placeOf, type Views } from '../../sweep/views.ts';

export interface ClusterAccess {
  clusters: readonly string[];
  cluster(name: string, reading?: ReadingFor): Promise<Cluster>;
  /** The memory for all clusters together, for the whole sweep. */
  memory?: MemoryPool;
}

/** The result, and the problems, each as one sentence. */
export interface Reading<Value> {
  value: Value;
  problems: string[];
}

export async function readViews(access: ClusterAccess): Promise<Reading<Views>> {
  const views = new Map<string, ClusterView>();
  const problems = new Map<string, string>();
  const fail = (name: string, error: unknown) => {
    views.delete(name);
    const problem = `The cluster ${name} could not be read, so nothing is reported as an orphan: ${redactedMessageOf(error)}`;
    problems.set(name, problem);
  };
  await mapConcurrently(access.clusters, clustersAtOnce, async (name) => {
    // A cluster's data may be evicted later to make room for the others.
    const share = access.memory?.share((error) => fail(name, error));
    try {
      const view = await inTime(async (signal) => readView(await access.cluster(name, { signal, share })));
      if (!problems.has(name)) views.set(name, view);
    } catch (error) {
      fail(name, error);
    }
  });
  const read = access.clusters.flatMap((name) => views.get(name) ?? []);
  return { value: { read, unread: [...problems.keys()] }, problems: [...problems.values()] };
}

async function readView(cluster: Cluster): Promise<ClusterView> {
  const [contents, classes] = await Promise.all([
    cluster.list(resources.bucketContent, undefined),
    cluster.list(resources.bucketClass, undefined),
  ]);
  return { cluster: cluster.name, contents, classes };
}

export async function readDriverSecret(
  { cluster }: ClusterAccess,
  place: { cluster: string; name: string },
): Promise<Parameters> {
  if (!isLegalName(place.name)) return {};
  const read = async (signal: AbortSignal) => readSecret(await cluster(place.cluster, { signal }), place.name);
  const secret = await inTime(read);
  return secret ? decode(secret) : {};
}

const maxConcurrentSecrets = 10;

/** The access key id that each Secret holds, never the secret key. */
export async function readHeldKeys(
  access: ClusterAccess,
  contents: readonly PlacedContent[],
): Promise<Reading<HeldKeys>> {
  const held = new Map<string, string | undefined>();
  const problems = new Set<string>();
  const byCluster = [...Map.groupBy(contents, ({ cluster }) => cluster)];
  await mapConcurrently(byCluster, clustersAtOnce, async ([name, ofCluster]) => {
    const fail = (error: unknown) => {
      problems.add(`Not all Secrets of the cluster ${name} could be read: ${redactedMessageOf(error)}`);
    };
    const read = (signal: AbortSignal) => readKeys(access, ofCluster, { name, held, fail, signal });
    await inTime(read).catch(fail);
  });
  return { value: held, problems: [...problems] };
}

interface KeyReading {
  name: string;
  held: Map<string, string | undefined>;
  fail: (error: unknown) => void;
  signal: AbortSignal;
}

async function readKeys(access: ClusterAccess, contents: readonly PlacedContent[], reading: KeyReading): Promise<void> {
  const { name, held, fail, signal } = reading;
  const cluster = await access.cluster(name, { signal });
  await mapConcurrently(contents, maxConcurrentSecrets, async (placed) => {
    if (signal.aborted) return;
    try {
      const secret = await readSecret(cluster, sourceSecretNameOf(placed.content));
      held.set(placeOf(placed), secret && decode(secret).AWS_ACCESS_KEY_ID);
    } catch (error) {
      fail(error);
    }
  });
}

function readSecret(cluster: Cluster, name: Name): Promise<Secret | undefined> {
  return cluster.get(nameOf(resources.secret, systemNamespace, name));
}
