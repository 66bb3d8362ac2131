import type { Condition } from '../kubernetes/objects.ts';
import type { Measurement } from '../runtime/metrics.ts';
import type { Announcement, Subject } from './step.ts';
import { note, type Part, patchStatus, type WriteDecision, warn } from './writes.ts';

/** A condition without the times and versions that follow from the previous one. */
export interface Said<Reason extends string = string> extends Pick<Condition, 'type' | 'status' | 'message'> {
  reason: Reason;
}

export function says<Reason extends string>(
  type: string,
  status: Condition['status'],
  reason: Reason,
  message: string,
): Said<Reason> {
  return { type, status, reason, message };
}

/** An object with conditions, and the test for our own: all others stay unchanged. */
export interface ReportedPart<Slot extends string, T extends Subject> extends Part<Slot, T> {
  isOurs(type: string): boolean;
  /** True if conditions of this kind record the generation that they describe. */
  hasGeneration?: boolean;
  /** The order of all conditions, given the position of our first one; by default ours are last. */
  arrange?(ours: Condition[], others: Condition[], place: number): Condition[];
}

/** The report on an object. */
export interface Report<Reason extends string = string> {
  /** All of our conditions from now on. The last one is repeated in the Event. */
  said: readonly Said<Reason>[];
  /** Other fields of the status. */
  status?: object;
  /** Those must be written even if the conditions are present already. */
  isDue?: boolean;
  event?: Announcement['type'] | undefined;
  /**
   * The part that must have changed for a Normal Event; by default each write records one. A Warning is always
   * recorded.
   */
  newsIn?: 'reason' | 'status';
  /** The condition's time is that of the reason, and not of the status. */
  isTimed?: boolean;
  measure?: Measurement[] | undefined;
}

/** The write that reports this on an object, with its Event and its measurements; undefined if it is reported already. */
export function report<Slot extends string, T extends Subject, Reason extends string>(
  part: ReportedPart<Slot, T>,
  object: NoInfer<T>,
  { said, status, isDue = false, event, newsIn, isTimed = false, measure }: Report<Reason>,
  now: Date,
): WriteDecision<Slot, T, Reason> | undefined {
  const before = object.status?.conditions ?? [];
  const ours = before.filter(({ type }) => part.isOurs(type));
  if (!isDue && areSaid(ours, said)) return undefined;
  const others = before.filter(({ type }) => !part.isOurs(type));
  const last = said.at(-1);
  const former = ours.find(({ type }) => type === last?.type);
  const timed = isTimed && former?.reason !== last?.reason ? [] : ours;
  const generation = part.hasGeneration ? object.metadata.generation : undefined;
  const stamped = said.map((each) => stamp(each, timed, generation, now));
  const place = ours[0] ? before.indexOf(ours[0]) : before.length;
  const conditions = part.arrange?.(stamped, others, place) ?? [...others, ...stamped];
  const isNews = event === 'Warning' || newsIn === undefined || former?.[newsIn] !== last?.[newsIn];
  const announcing = event === 'Warning' ? warn : note;
  const announce = event && last && isNews ? [announcing(object, last.reason, last.message)] : [];
  return patchStatus(part, object, { ...status, conditions }, { announce, ...(measure ? { measure } : {}) });
}

/** A condition keeps the time at which its status last changed. */
export function stamp(said: Said, before: Condition[] = [], generation: number | undefined, now: Date): Condition {
  const same = before.find(({ type, status }) => type === said.type && status === said.status);
  const lastTransitionTime = same?.lastTransitionTime ?? now.toISOString().replace(/\.\d+/, '');
  return { ...said, ...(generation === undefined ? {} : { observedGeneration: generation }), lastTransitionTime };
}

/** True if exactly these conditions are present, in this order. */
export function areSaid(before: Condition[] = [], conditions: readonly Said[]): boolean {
  return before.length === conditions.length && conditions.every((said, index) => isSame(before[index], said));
}

export function isSame(one: Condition | undefined, { type, status, reason, message }: Said): boolean {
  return one?.type === type && one.status === status && one.reason === reason && one.message === message;
}
