import { MemoryPool, type PoolShare } from '../../../../runtime/memory/pool.ts';
import type { ExpectedResource, MissingResource, OwnedResource } from '../../drivers/sweepable-driver.ts';
import type { StoreContents } from '../../sweep/find-missing.ts';
import { mergeDuplicates } from '../../sweep/merge-duplicates.ts';
import type { Silence } from '../../sweep/report.ts';
import { type Drivers, type SweptStore, storeOfContent, storesOf } from '../../sweep/stores.ts';
import { contentsIn, isOurs, isServed, parametersOf, type Views } from '../../sweep/views.ts';
import { type Lane, lanesOf, maxStoresOfCluster, type Time, visitLanes } from './lanes.ts';
import type { ClusterAccess, Reading } from './read-clusters.ts';
import { readStore, type StoreAnswer, unreadStore } from './read-store.ts';

export interface StoreAccess extends ClusterAccess, Time {
  drivers: Drivers;
  /** The deployment's name: without it, all contents count as its own. */
  identity: string;
  /** The memory for findings in the deployment's own stores, and the same for all others, until the end. */
  storeBytes?: number;
}

export interface StoreReadings extends StoreContents {
  stores: ReadonlyMap<string, SweptStore>;
  silent: Silence[];
  /** The clusters that a problem concerns, if not all. */
  concerned: ReadonlyMap<string, readonly string[]>;
}

/** Reads all stores. A store that does not answer is reported, and does not delay the others. */
export async function readStores(access: StoreAccess, before: Views): Promise<Reading<StoreReadings>> {
  const stores = storesOf(before, access.drivers);
  const lanes = lanesOf(stores);
  const expected = expectedIn(before, access);
  const answers: Answers = new Map();
  const memory = memoryOfLanes(access.storeBytes, lanes.own, answers);
  await visitLanes(lanes, access, async (store, lane, until) => {
    // Another cluster's lane may be reading it; a failure within that lane's time is retried.
    const before = answers.get(store.key);
    if (before && !('problem' in (await before))) return;
    const asking = readStore(access, store, { deadline: until, expected: expected.get(store.key) ?? [] }, memory(lane));
    answers.set(store.key, asking);
    const answer = await asking;
    if (answers.get(store.key) === asking) answers.set(store.key, answer);
  });
  return collectAnswers(stores, answers, tooManyIn(lanes.leftOut));
}

type Answers = Map<string, StoreAnswer | Promise<StoreAnswer>>;

async function collectAnswers(
  stores: SweptStore[],
  answers: Answers,
  problems: Problem[],
): Promise<Reading<StoreReadings>> {
  const lacking = new Map<string, readonly MissingResource[]>();
  const found: [SweptStore, OwnedResource][] = [];
  for (const store of stores) {
    const answer = await answers.get(store.key);
    if (answer && 'items' in answer) {
      lacking.set(store.key, answer.lacking);
      for (const item of answer.items) found.push([store, item]);
    } else if (answer) {
      const clusters = store.isDefault ? undefined : [...store.users];
      problems.push({ problem: answer.problem, drivers: [store.driverName], clusters });
    }
  }
  const silent = problems.flatMap(({ drivers, clusters }) => drivers.map((driver) => ({ driver, clusters })));
  const byKey = new Map(stores.map((store) => [store.key, store]));
  return {
    value: { stores: byKey, found: mergeDuplicates(found), lacking, silent, concerned: concernedBy(problems) },
    problems: problems.map(({ problem }) => problem),
  };
}

/** Two stores may have the same problem. */
function concernedBy(problems: readonly Problem[]): Map<string, readonly string[]> {
  const byText = Map.groupBy(problems, ({ problem }) => problem);
  const ofSome = [...byText].filter(([, same]) => same.every(({ clusters }) => clusters !== undefined));
  return new Map(ofSome.map(([problem, same]) => [problem, same.flatMap(({ clusters = [] }) => clusters)]));
}

interface Problem {
  problem: string;
  drivers: string[];
  clusters: readonly string[] | undefined;
}

function tooManyIn(leftOut: ReadonlyMap<string, readonly SweptStore[]>): Problem[] {
  return [...leftOut].map(([cluster, stores]) => {
    const said = `The cluster ${cluster} uses more than ${maxStoresOfCluster} stores`;
    const problem = `${said}: ${stores.length} of them were not read`;
    return { problem, drivers: [...new Set(stores.map(({ driverName }) => driverName))], clusters: [cluster] };
  });
}

/**
 * The stores of a lane share one part of the memory: all of them are given up when the others need it. The deployment's own
 * stores have a separate pool, which no class can fill.
 */
function memoryOfLanes(bytes: number | undefined, own: Lane, answers: Answers) {
  if (bytes === undefined) return () => undefined;
  const [forOwn, forOthers] = [new MemoryPool(bytes), new MemoryPool(bytes)];
  const shares = new Map<Lane, PoolShare>();
  return (lane: Lane): PoolShare => {
    const known = shares.get(lane);
    if (known) return known;
    const share = (lane === own ? forOwn : forOthers).share((error) => {
      for (const store of lane) if (answers.has(store.key)) answers.set(store.key, unreadStore(store, error));
    });
    shares.set(lane, share);
    return share;
  };
}

/** The resources that our contents report as existing, by the keys of the stores. */
function expectedIn(before: Views, { drivers, identity }: StoreAccess): Map<string, ExpectedResource[]> {
  const expected = new Map<string, ExpectedResource[]>();
  for (const { cluster, content } of contentsIn(before)) {
    if (!isServed(content) || !isOurs(content, identity)) continue;
    const store = storeOfContent(cluster, content, drivers);
    if (!store) continue;
    const { bucketRef, bucketIdentifier: bucket = '' } = content.spec;
    const ofStore = expected.get(store.key) ?? [];
    ofStore.push({ owner: bucketRef.uuid, bucket, parameters: parametersOf(content, store.driver) });
    expected.set(store.key, ofStore);
  }
  return expected;
}
