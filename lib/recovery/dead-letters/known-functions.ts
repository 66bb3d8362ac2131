import type { Request } from '../../capabilities/buckets/requests/event.ts';
import type { Step, World } from '../../reconcile/step.ts';

/** How to diagnose the dead letters of a function. */
export type KnownFunction =
  /** By its step, which decides what it would do now. */
  | { step: Step<World> }
  /** Its step needs parts that only the deployment has, such as drivers. */
  | { deployedStep: Pick<Step<World>, 'name' | 'resource'>; absentMeans: 'gone' | 'nothing' }
  /** Its messages are AWS events, each with its own step. */
  | { stepFor: (request: Request) => Step<World> };

/** By name. A function that is missing here is of a later release, and its dead letters can only be counted. */
export type KnownFunctions = Readonly<Record<string, KnownFunction>>;
