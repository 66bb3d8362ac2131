import type { Cluster, Preconditions } from '../kubernetes/cluster.ts';
import type { ClusterObject, Condition } from '../kubernetes/objects.ts';
import type { Resource } from '../kubernetes/resource.ts';
import type { Key, ObjectName } from '../kubernetes/resources.ts';
import type { Measurement } from '../runtime/metrics.ts';
import type { ChangeTrace } from '../runtime/tracing.ts';
import type { Obstacle } from './obstacle.ts';

/** The objects that a step read, by their role, and the parts that it writes. Absent ones are undefined. */
export interface World<Slot extends string = string, Reason extends string = string> {
  /** The write that the server rejected in this run, and why: part of the world like everything that was read. */
  readonly refused?: Refusal<Slot> | undefined;
  /** The parts that the server returned in this run, which are therefore newer than what was read. */
  readonly answered?: readonly Slot[];
  /** The parts that someone else changed in this run before our write: other work does not wait for them. */
  readonly contended?: readonly Slot[];
  /** The possible reasons of decisions about it. Only for the compiler: no world has it. */
  readonly reasons?: Reason;
}

export interface Refusal<Slot extends string = string> {
  slot: Slot;
  message: string;
}

/** A Kubernetes Event about an object, recorded when the write that it goes with has succeeded. */
export interface Announcement<Reason extends string = string> {
  regarding: ClusterObject;
  type: 'Normal' | 'Warning';
  reason: Reason;
  message: string;
}

type SlotOf<W extends World> = W extends World<infer Slot> ? Slot : never;
type ReasonOf<W extends World> = W extends World<string, infer Reason> ? Reason : never;

/** The writes of a world, by slot. For an unknown world, any object in any slot. */
type Objects<W extends World> = keyof W extends keyof World
  ? Record<string, ClusterObject>
  : {
      [Slot in keyof W & SlotOf<W> as NonNullable<W[Slot]> extends ClusterObject ? Slot : never]-?: NonNullable<
        W[Slot]
      >;
    };

/** The parts of a world that are responses to calls. */
type AnswerSlot<W extends World> = keyof W extends keyof World
  ? string
  : { [Slot in keyof W]-?: NonNullable<W[Slot]> extends Answer ? Slot : never }[keyof W] & string;

interface WriteTo<Slot extends string, T extends ClusterObject, Reason extends string> {
  /** The part of the world that the server's response replaces. */
  slot: Slot;
  object: ObjectName<T>;
  announce?: Announcement<Reason>[];
  /** Measurements to emit when the write has succeeded. */
  measure?: Measurement[];
}

/** A write of the object with one role. */
export type WriteOf<Slot extends string, T extends ClusterObject, Reason extends string> =
  | (WriteTo<Slot, T, Reason> & {
      verb: 'create';
      body: T /** Nothing is made: the server says whether it would. */;
      isDryRun?: true;
    })
  | (WriteTo<Slot, T, Reason> & { verb: 'patch'; body: object; preconditions: Preconditions; subresource?: 'status' })
  | (WriteTo<Slot, T, Reason> & { verb: 'delete'; preconditions: Preconditions });

/** A write of any object of a world: only to its slots, and only of the kinds in them. */
export type Write<W extends World = World> = {
  [Slot in keyof Objects<W> & string]: Objects<W>[Slot] extends infer T extends ClusterObject
    ? WriteOf<Slot, T, ReasonOf<W>>
    : never;
}[keyof Objects<W> & string];

/** Work outside the cluster, such as a call to an object store. The step makes the call; the loop only decides when. */
export interface Call<Slot extends string = string> {
  /** The part of the world that the response replaces. Responses are never logged: they may contain credentials. */
  slot: Slot;
  operation: string;
  /** The subject, for the log. */
  about: string;
  request: object;
}

/** A call whose response is a part of a world. */
export type CallIn<W extends World> = Call<AnswerSlot<W>>;

/** The response to a call. Only its result may be logged. */
export interface Answer {
  result: string;
}

/**
 * The next thing to do. One write at a time, so that a run can only be interrupted between two writes.
 *
 * write   make this write, then decide again
 * call    do this outside the cluster, then decide again
 * reread  the world is too old for the next write: read again, then decide again
 * retry   something failed that may pass, and the object reports it: the message is delivered again after a back-off
 * wait    nothing can be done until the world changes; the change causes the next message
 * reject  the user's request is impossible, and the object reports it; a change of it causes the next message
 * done    nothing is left to do
 */
export type Decision<W extends World = World, C extends CallIn<W> = CallIn<W>> =
  | { do: 'write'; write: Write<W> }
  | { do: 'call'; call: C }
  | Reread<ReasonOf<W>>
  | Outcome<ReasonOf<W>>;

export interface Reread<Reason extends string = string> {
  do: 'reread';
  reason: Reason;
}

/** The decisions that end a run. */
export type Outcome<Reason extends string = string> = Obstacle<Reason> | { do: 'done'; reason: Reason };

/** An object with conditions. */
export interface Subject extends ClusterObject {
  status?: { conditions?: Condition[] };
}

/** A step: reads the world of a key, and decides what to do about it. */
export interface Step<W extends World, C extends CallIn<W> = CallIn<W>> {
  name: string;
  /** The kind of object that this step's keys name. */
  resource: Resource;
  read(cluster: Cluster, key: Key, now: Date): Promise<W>;
  decide(world: W, now: Date): Decision<W, C>;
  /** The objects that the key may name, if they have conditions for users. */
  subjects?(world: W): readonly (Subject | undefined)[];
  /** Makes a call, in a step that has calls. An expected failure is a response too. */
  perform?(call: C, world: W, change?: ChangeTrace): Promise<Answer>;
  /** The write that reports on the object that the last delivery of a message has failed. */
  decideFailed(world: W, error: string, now: Date): Decision<W, C>;
}

export function preconditionsOf(object: ClusterObject): Preconditions {
  return { uid: object.metadata.uid ?? '', resourceVersion: object.metadata.resourceVersion ?? '' };
}
