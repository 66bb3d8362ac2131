import type { Condition } from '../kubernetes/objects.ts';
import { isSame, stamp } from './conditions.ts';
import { derivedFrom, isDerivedType, type Readiness } from './ready.ts';
import { preconditionsOf, type Subject } from './step.ts';
import { nameOfObject, type Part, type WriteDecision, type WriteEffects } from './writes.ts';

/** An object whose status is written. No part does without saying whether tools may ask if it is ready. */
export interface StatusPart<Slot extends string, T extends Subject> extends Part<Slot, T> {
  /** What `Ready` says of it; nothing on objects that others define. */
  readiness: Readiness<T> | 'none';
}

/** The only way to write a status: whatever changes in it, what follows from it is part of the same write. */
export function patchStatus<Slot extends string, T extends Subject, Reason extends string = never>(
  part: StatusPart<Slot, T>,
  object: NoInfer<T>,
  status: object,
  now: Date,
  effects: WriteEffects<Reason> = {},
): WriteDecision<Slot, T, Reason> {
  const body = { status: { ...status, ...derived(part, object, status, now) } };
  const write = { slot: part.slot, object: nameOfObject(part.resource, object), body, ...effects };
  return {
    do: 'write',
    write: { verb: 'patch', preconditions: preconditionsOf(object), subresource: 'status', ...write },
  };
}

/** The write that brings the derived conditions up to date, as on an object that an earlier version has left. */
export function patchDerived<Slot extends string, T extends Subject>(
  part: StatusPart<Slot, T>,
  object: NoInfer<T>,
  now: Date,
): WriteDecision<Slot, T> | undefined {
  return derived(part, object, {}, now).conditions && patchStatus(part, object, {}, now);
}

/** The fields of the status that follow from the others, as far as they change. */
function derived<Slot extends string, T extends Subject>(
  { readiness }: StatusPart<Slot, T>,
  object: T,
  written: { conditions?: Condition[]; observedGeneration?: number },
  now: Date,
): { conditions?: Condition[]; observedGeneration?: number } {
  if (readiness === 'none') return {};
  const { generation } = object.metadata;
  const before = object.status?.conditions ?? [];
  const others = (written.conditions ?? before).filter(({ type }) => !isDerivedType(type));
  const present = Object.entries({ ...object.status, ...written, conditions: others }).filter(
    ([, value]) => value !== null,
  );
  const said = derivedFrom(readiness({ ...object, status: Object.fromEntries(present) }));
  const former = before.filter(({ type }) => isDerivedType(type));
  const isKept =
    former.length === said.length &&
    said.every((each, index) => isSame(former[index], each) && former[index]?.observedGeneration === generation);
  // A merge patch replaces the whole list.
  if (isKept && !written.conditions) return {};
  const conditions = [...said.map((each) => stamp(each, former, generation, now)), ...others];
  return { conditions, ...(generation === undefined ? {} : { observedGeneration: generation }) };
}
