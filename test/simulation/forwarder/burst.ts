import { part } from './kinds.ts';
import type { Moments } from './moments.ts';
import type { Stage } from './stage.ts';

const batches = 17;
const batchSize = 1_500;
const betweenMs = 150;

/** More changes than may wait, while the queue or the archive is away: nothing more may be read then. */
export function planBurst({ world, fates, store }: Stage, { random, endMs }: Moments): void {
  const { time, state } = world;
  time.at(5_000, () => {
    const isOfStore = store !== undefined && random.chance(0.5);
    world.tell(() => `a burst, while the ${isOfStore ? 'store' : 'queue'} is away`);
    fates.isStoreAway = isOfStore;
    fates.isQueueAway = !isOfStore;
    for (let batch = 0; batch < batches; batch += 1) {
      time.after(1 + batch * betweenMs, () => {
        for (let n = 0; n < batchSize; n += 1) {
          const name = `piece-${batch}-${n}`;
          const metadata = { name, uid: name, annotations: { kept: 'yes' } };
          state.put(part, { apiVersion: part.apiVersion, kind: part.kind, metadata });
        }
      });
    }
  });
  time.at(endMs, () => {
    fates.isStoreAway = false;
    fates.isQueueAway = false;
  });
}
