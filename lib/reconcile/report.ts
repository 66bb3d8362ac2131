import type { Condition } from '../kubernetes/objects.ts';
import type { Measurement } from '../runtime/metrics.ts';
import { areSaid, type Said, stamp } from './conditions.ts';
import { isDerivedType } from './ready.ts';
import { patchDerived, patchStatus, type StatusPart } from './status.ts';
import type { Announcement, Subject } from './step.ts';
import { note, type WriteDecision, warn } from './writes.ts';

/** An object with conditions, and the test for our own: all others stay unchanged. */
export interface ReportedPart<Slot extends string, T extends Subject> extends StatusPart<Slot, T> {
  /** Not asked about those that are derived from the others. */
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
  const before = (object.status?.conditions ?? []).filter(
    ({ type }) => !isDerivedType(type) || part.readiness === 'none',
  );
  const ours = before.filter(({ type }) => part.isOurs(type));
  // What follows from it may be missing all the same. To add that is no news.
  if (!isDue && areSaid(ours, said)) return patchDerived(part, object, now);
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
  return patchStatus(part, object, { ...status, conditions }, now, { announce, ...(measure ? { measure } : {}) });
}
