import type { Request } from '../../capabilities/buckets/requests/event.ts';
import type { Step, World } from '../../reconcile/step.ts';

/** What is known of a function whose messages are dead letters. */
export type KnownFunction =
  /** Its step, which can be asked what it would do now. */
  | { step: Step<World> }
  /** Its step is made from what only the deployment has, such as drivers. */
  | { made: Pick<Step<World>, 'name' | 'resource'>; absentMeans: 'gone' | 'nothing' }
  /** Its messages are events of the cloud, each of which has a step of its own. */
  | { stepFor: (request: Request) => Step<World> };

/** By name. What is not here is of a later release, and its letters can only be counted. */
export type KnownFunctions = Readonly<Record<string, KnownFunction>>;
