import { MemoryPool, type PoolShare } from '../../../../runtime/memory/pool.ts';
import type { Expected, Lacking, Owned } from '../../drivers/owned.ts';
import type { Answered } from '../../sweep/missing.ts';
import { once } from '../../sweep/once.ts';
import type { Silence } from '../../sweep/report.ts';
import { type Drivers, type SweptStore, storeOfContent, storesOf } from '../../sweep/stores.ts';
import { contentsIn, isOurs, isServed, parametersOf, type Views } from '../../sweep/views.ts';
import { type Answer, ask, notLookedInto } from './ask.ts';
import { alongLanes, type Lane, lanesOf, maxStoresOfCluster, type Time } from './lanes.ts';
import type { Access, Reading } from './read.ts';

export interface Stores extends Access, Time {
  drivers: Drivers;
  /** Which deployment this is: without it, all contents count as its own. */
  identity: string;
  /** So much memory may be taken by what is found in the deployment's own stores, and in all others, until the end. */
  storeBytes?: number;
}

export interface Looked extends Answered {
  stores: ReadonlyMap<string, SweptStore>;
  silent: Silence[];
  /** Whom a problem concerns, where that is not everybody. */
  concerned: ReadonlyMap<string, readonly string[]>;
}

/** What there is in all stores. One that does not answer is said, and does not keep the others. */
export async function lookIntoStores(access: Stores, before: Views): Promise<Reading<Looked>> {
  const stores = storesOf(before, access.drivers);
  const lanes = lanesOf(stores);
  const expected = expectedIn(before, access);
  const answers: Answers = new Map();
  const memory = memoryOfLanes(access.storeBytes, lanes.own, answers);
  await alongLanes(lanes, access, async (store, lane, until) => {
    // Another cluster may have it in hand; what came to nothing in the time of that one is tried again.
    const before = answers.get(store.key);
    if (before && !('problem' in (await before))) return;
    const asking = ask(access, store, { deadline: until, expected: expected.get(store.key) ?? [] }, memory(lane));
    answers.set(store.key, asking);
    const answer = await asking;
    if (answers.get(store.key) === asking) answers.set(store.key, answer);
  });
  return heardFrom(stores, answers, tooManyIn(lanes.leftOut));
}

type Answers = Map<string, Answer | Promise<Answer>>;

async function heardFrom(stores: SweptStore[], answers: Answers, problems: Problem[]): Promise<Reading<Looked>> {
  const lacking = new Map<string, readonly Lacking[]>();
  const found: [SweptStore, Owned][] = [];
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
    value: { stores: byKey, found: once(found), lacking, silent, concerned: concernedBy(problems) },
    problems: problems.map(({ problem }) => problem),
  };
}

/** Two stores may have the same to say. */
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
 * The stores of a lane have one share of the memory: all of them are given up when the others need it. The deployment's own
 * are none of those that a class could fill it with.
 */
function memoryOfLanes(bytes: number | undefined, own: Lane, answers: Answers) {
  if (bytes === undefined) return () => undefined;
  const [forOwn, forOthers] = [new MemoryPool(bytes), new MemoryPool(bytes)];
  const shares = new Map<Lane, PoolShare>();
  return (lane: Lane): PoolShare => {
    const known = shares.get(lane);
    if (known) return known;
    const share = (lane === own ? forOwn : forOthers).share((error) => {
      for (const store of lane) if (answers.has(store.key)) answers.set(store.key, notLookedInto(store, error));
    });
    shares.set(lane, share);
    return share;
  };
}

/** What our contents have been told is there, by the keys of the stores. */
function expectedIn(before: Views, { drivers, identity }: Stores): Map<string, Expected[]> {
  const expected = new Map<string, Expected[]>();
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
