import type { ApiServer } from './api-server.ts';
import type { FakeQueues } from './fake-queues.ts';
import type { FakeStore } from './fake-store.ts';
import type { Judge } from './judge.ts';
import type { ForwarderMutant } from './mutant.ts';
import type { Fates } from './troubles.ts';
import type { World } from './world.ts';

/** What the forwarders of a run have around them. */
export interface Stage {
  world: World;
  fates: Fates;
  server: ApiServer;
  queues: FakeQueues;
  store: FakeStore | undefined;
  judge: Judge;
  mutant: ForwarderMutant | undefined;
  /** Whether the forwarders ask how much waits on a queue. */
  takesTurns: boolean;
  /** One change becomes one message, and whoever else waits for it is told by the slow lane. */
  isLimited: boolean;
}
