import { roundRobin } from '../../../../round-robin.ts';
import { mapConcurrently } from '../../../../runtime/map-concurrently.ts';
import { isOwnStore, type SweptStore } from '../../sweep/stores.ts';

/** The number of stores that are read at a time: IAM allows some twenty requests a second, for a whole account. */
const maxConcurrentStores = 4;
/** Each of them may take all of its time, and causes a log line if it does not answer. */
export const maxStoresOfCluster = 200;

/** Stores that share their time and their memory. */
export type Lane = readonly SweptStore[];

export interface Lanes {
  /** The deployment's own stores. */
  own: Lane;
  /** The stores in classes of one cluster. A store of several clusters is in the lane of each. */
  others: Lane[];
  /** The stores of a cluster that are in no lane, because it has too many. */
  leftOut: Map<string, SweptStore[]>;
}

/** Classes can name any number of stores, however slow: they only cost their own cluster's time. */
export function lanesOf(stores: readonly SweptStore[]): Lanes {
  const clusters = [...new Set(stores.flatMap(({ users }) => [...users]))];
  const ofEach = clusters.map((cluster) => stores.filter(({ users }) => users.has(cluster)));
  const kept = ofEach.map((each) => each.slice(0, maxStoresOfCluster));
  const own = roundRobin(kept.map((each) => each.filter(isOwnStore)));
  const others = kept.map((each) => each.filter((store) => !isOwnStore(store))).filter(({ length }) => length > 0);
  const tooMany = clusters.map((cluster, at) => [cluster, ofEach[at]?.slice(maxStoresOfCluster) ?? []] as const);
  return {
    own: [...new Set([...stores.filter(({ isDefault }) => isDefault), ...own])],
    others,
    leftOut: new Map(tooMany.filter(([, { length }]) => length > 0)),
  };
}

export interface Time {
  /** In milliseconds since 1970. */
  deadline: number;
  now: () => Date;
}

/** Reads a store of a lane until a deadline. */
export type VisitStore = (store: SweptStore, lane: Lane, until: number) => Promise<void>;

/** The deployment's own stores come first, and leave half of the time; each cluster has its part of the rest. */
export async function visitLanes({ own, others }: Lanes, time: Time, look: VisitStore): Promise<void> {
  await visitLane(own, { atOnce: maxConcurrentStores, end: deadlineWithin(time, 2), time, look });
  const lanesAtOnce = Math.min(maxConcurrentStores, others.length);
  let unfinished = others.length;
  await mapConcurrently(others, lanesAtOnce, async (lane) => {
    const end = deadlineWithin(time, Math.max(1, unfinished / lanesAtOnce));
    await visitLane(lane, { atOnce: Math.floor(maxConcurrentStores / lanesAtOnce), end, time, look });
    unfinished -= 1;
  });
}

interface LaneOptions {
  atOnce: number;
  end: number;
  time: Time;
  look: VisitStore;
}

/** A store that uses all of its time leaves half of the remaining time to the others of its lane. */
async function visitLane(lane: Lane, { atOnce, end, time, look }: LaneOptions): Promise<void> {
  await mapConcurrently(lane, atOnce, (store) => look(store, lane, deadlineWithin({ ...time, deadline: end }, 2)));
}

function deadlineWithin({ deadline, now }: Time, parts: number): number {
  const start = now().getTime();
  return start + Math.floor((deadline - start) / parts);
}
