import { describe, expect, test } from '@jest/globals';
import type { Claim, Condition } from '../../../lib/kubernetes/objects.ts';
import { resources } from '../../../lib/kubernetes/resources.ts';
import { type Said, says } from '../../../lib/reconcile/conditions.ts';
import { type Report, type ReportedPart, report } from '../../../lib/reconcile/report.ts';
import { claim } from '../../support/builders.ts';

const now = new Date('2026-03-01T12:00:00.123Z');
const said: Said = says('Moved', 'False', 'SourceHeld', 'held');
const before: Condition = { ...said, lastTransitionTime: '2026-01-01T00:00:00Z' };
const part: ReportedPart<'source', Claim> = {
  slot: 'source',
  resource: resources.claim,
  readiness: 'none',
  isOurs: (type) => type === said.type,
};
const foreign: Condition = { ...before, type: 'Resizing' };
const again: Condition = { ...before, type: 'Complete' };
const waiting = says('Moved', 'False', 'SourceInUse', 'used');
const saying = (...conditions: Condition[]) => claim({ status: { phase: 'Pending', conditions } });

/** The write of a report, and the conditions that the object has after it. */
function written(object: Claim, about: Partial<Report>, of = part) {
  const { write } = report(of, object, { said: [waiting], ...about }, now) ?? {};
  if (write?.verb !== 'patch') throw new Error('nothing is written');
  const { body, ...rest } = write;
  const { status } = body as { status: { conditions: Condition[] } };
  return { write: rest, status, conditions: status.conditions };
}

describe('a report', () => {
  test('is a write of the status that is refused when the object has changed', () => {
    const { metadata } = saying();
    expect(written(saying(), {}).write).toEqual({
      verb: 'patch',
      slot: 'source',
      subresource: 'status',
      object: expect.objectContaining({
        resource: resources.claim,
        namespace: metadata.namespace,
        name: metadata.name,
      }),
      preconditions: { uid: metadata.uid, resourceVersion: metadata.resourceVersion },
      announce: [],
    });
  });

  test('leaves what is not ours, and stands where its kind has it', () => {
    const types = (of: ReportedPart<'source', Claim>) =>
      written(saying(foreign, before, again), {}, of).conditions.map(({ type }) => type);
    expect(types(part)).toEqual(['Resizing', 'Complete', 'Moved']);
    expect(types({ ...part, arrange: (ours, others) => [...ours, ...others] })).toEqual([
      'Moved',
      'Resizing',
      'Complete',
    ]);
    const inPlace = {
      ...part,
      arrange: (ours: Condition[], others: Condition[], place: number) => others.toSpliced(place, 0, ...ours),
    };
    expect(types(inPlace)).toEqual(['Resizing', 'Moved', 'Complete']);
    expect(written(saying(foreign), {}, inPlace).conditions.map(({ type }) => type)).toEqual(['Resizing', 'Moved']);
  });

  test('takes away what is ours and is not said any more', () => {
    expect(written(saying(foreign, before), { said: [] }).conditions).toEqual([foreign]);
    const all = { ...part, isOurs: () => true };
    expect(written(saying(foreign, before), {}, all).conditions).toMatchObject([waiting]);
  });

  test('is made once, unless something else of the status is due', () => {
    const { conditions } = written(saying(foreign), {});
    expect(report(part, saying(...conditions), { said: [waiting] }, now)).toBeUndefined();
    expect(report(part, saying(), { said: [] }, now)).toBeUndefined();
    const due = written(saying(...conditions), { isDue: true, status: { phase: 'Lost' } });
    expect(due.status).toEqual({ phase: 'Lost', conditions });
  });

  test('names the generation where its kind does', () => {
    const object = { ...saying(), metadata: { ...saying().metadata, generation: 4 } };
    expect(written(object, {}).conditions[0]).not.toHaveProperty('observedGeneration');
    const counting = { ...part, hasGeneration: true };
    expect(written(object, {}, counting).conditions[0]).toMatchObject({ observedGeneration: 4 });
  });

  test('has the time since which its status is the same, or its reason where that is what counts', () => {
    const timeOf = (about: Partial<Report>) => written(saying(before), about).conditions[0]?.lastTransitionTime;
    expect(timeOf({})).toBe('2026-01-01T00:00:00Z');
    expect(timeOf({ isTimed: true })).toBe('2026-03-01T12:00:00Z');
    expect(timeOf({ isTimed: true, said: [{ ...said, message: 'still held' }] })).toBe('2026-01-01T00:00:00Z');
  });

  test('brings its measurements', () => {
    const measure = [{ name: 'TransfersFailed', unit: 'Count', value: 1, dimensions: {} } as const];
    expect(written(saying(), { measure }).write).toMatchObject({ measure });
    expect(written(saying(), {}).write).not.toHaveProperty('measure');
  });

  const reworded: Said = { ...said, message: 'still held' };
  test.each<[string, Partial<Report>, string[]]>([
    ['none', { said: [reworded] }, []],
    ['one for each change', { event: 'Normal', said: [reworded] }, ['Normal SourceHeld: still held']],
    ['none for the same reason', { event: 'Normal', newsIn: 'reason', said: [reworded] }, []],
    ['one for another reason', { event: 'Normal', newsIn: 'reason' }, ['Normal SourceInUse: used']],
    ['none for the same status', { event: 'Normal', newsIn: 'status' }, []],
    [
      'one for each warning',
      { event: 'Warning', newsIn: 'reason', said: [reworded] },
      ['Warning SourceHeld: still held'],
    ],
    ['one, of the last condition', { event: 'Normal', said: [reworded, waiting] }, ['Normal SourceInUse: used']],
    ['none of nothing', { event: 'Warning', said: [] }, []],
  ])('has %s as an Event', (_, about, events) => {
    const { write } = written(saying(before), about);
    expect(write.announce?.map(({ type, reason, message }) => `${type} ${reason}: ${message}`)).toEqual(events);
  });
});
