import type { Cluster } from '../../lib/kubernetes/cluster.ts';
import type { Resource } from '../../lib/kubernetes/resource.ts';
import type { Router } from '../../lib/reconcile/routing.ts';
import type { Step, World } from '../../lib/reconcile/step.ts';
import type { ClusterChange, FakeCluster } from './fake-cluster.ts';
import type { Gate, PendingCall } from './gate.ts';
import type { Random } from './random.ts';

/** What must never be so is so. */
export class Violation extends Error {}

/** What a capability gives the simulation. Everything else in this folder knows of no capability in particular. */
export interface Capability {
  name: string;
  /** What users and administrators may do during a run. Each can be left out, which is how a failure is made smaller. */
  userActions: readonly string[];
  /** Changes to the product that make it wrong: the simulation must notice. */
  mutants: readonly Mutant[];
  /** Kinds whose changes are forwarded during a run, each by a watch of its own that lags on its own. */
  watchedKinds: readonly Resource[];
  /**
   * Kinds of which a read may answer what was there before the last change. What must survive that is what a capability
   * takes care of; consent that was withdrawn a moment ago may always be seen.
   */
  staleKinds: readonly Resource[];
  /**
   * How many calls, changes or works of controllers one turn may have at the most, where there is much to do in a run.
   * One when absent.
   */
  rateLimiter?: number;
  /** Puts into an empty cluster what a run begins with. */
  begin(cluster: FakeCluster, random: Random): CapabilityRun;
}

/** One run of a capability. */
export interface CapabilityRun {
  /** The steps as one worker has them; what they call outside the cluster has to pass the worker's gate. */
  stepsFor(gate: Gate): readonly Step<World>[];
  scenario: Scenario;
  controllers: Controllers;
  invariants: Invariants;
  /** Throws a violation unless all is as it must be when nothing moves any more and no obstacle is left. */
  checkEnd(): void;
}

export interface Scenario {
  /** The user actions that the run is about, each with the turn before which it happens. */
  course(): readonly (readonly [action: string, latest: number])[];
  act(action: string): void;
  /** How many other calls are answered before this one, where the server takes its time with it. */
  holdUp?(call: PendingCall, random: Random): number;
  /** The end depends on who is faster, or on how far it has come when somebody looks. */
  readonly isOpen?: boolean;
  /** Somebody goes on with what they do until obstacles are lifted, and the others must not have to wait for that. */
  readonly isStubborn?: boolean;
  /** Throws a violation unless all that is due to the others has come about meanwhile. */
  checkMeanwhile?(): void;
  /** Lifts what would keep a step waiting for ever, so that a run can be judged by its end. */
  liftObstacles(): void;
}

/** What runs in the cluster by itself. */
export interface Controllers {
  /** Does one thing, whichever they get to. */
  syncOne(random: Random): void;
  /** Looks at everything once. */
  syncAll(): void;
}

/** What must hold throughout, whoever writes. Each throws a violation; the calls of an object store count as writes too. */
export interface Invariants {
  /** Before a worker's write takes effect, in the cluster or outside it. */
  beforeWrite(call: PendingCall): void;
  /** After a worker's write took effect or was refused: what it did outside the cluster is no change of the cluster. */
  afterWrite(call: PendingCall): void;
  afterChange(change: ClusterChange): void;
  beforeUserAction(action: string): void;
}

export interface Mutant<W extends World = World, Action extends string = string> {
  name: string;
  step?(step: Step<W>): Step<W>;
  cluster?(cluster: Cluster): Cluster;
  /** That of a forwarder that follows changes; what a list would find is judged by a right one. */
  router?(router: Router): Router;
  /** What must happen for it to show, where everything at once would make it rare. */
  actions?: readonly Action[];
  /** What happens in each run, and in which turn, where even that does not meet in the right order. */
  course?: readonly (readonly [action: Action, turn: number])[];
  /** It takes thousands of seeds to show: too long for the gate, so that the soak looks for it. */
  isRare?: true;
}
