import { expect, test } from '@jest/globals';
import { type LastSent, type Unfinished, UnfinishedObjects } from '../../../lib/forwarder/unfinished-objects.ts';
import { resources } from '../../../lib/kubernetes/resources.ts';
import { named } from './scripted-api.ts';

const route = { function: 'match-claim', resource: resources.claim, key: { namespace: 'prod', name: 'key' } };

function things() {
  const unfinished = new UnfinishedObjects();
  const note = (name: string, nowMs: number, last: LastSent, isOpen = true) => {
    const change = {
      type: 'listed' as const,
      resource: resources.claim,
      object: named(name, '1'),
      seenAt: new Date(0),
    };
    const cause = { uid: name, resourceVersion: '1', type: 'update' as const };
    unfinished.note(change, { cause, owner: undefined, routes: isOpen ? [route] : [] }, nowMs, last);
  };
  const take = (beforeMs: number, nowMs: number, most = 10, canTell: (thing: Unfinished) => boolean = () => true) =>
    unfinished.take({ beforeMs, max: most, nowMs, canSend: canTell }).map(({ cause }) => cause.uid);
  return { unfinished, note, take };
}

test('what nobody is known to have told comes first, wherever in the list it was found', () => {
  const { note, take } = things();
  note('told at the start', 1_000, 'now');
  note('not told', 1_000, 'unknown');
  note('told as well', 1_000, 'now');
  expect(take(0, 2_000)).toEqual(['not told']);
  expect(take(500, 3_000)).toEqual([]);
  expect(take(1_000, 4_000)).toEqual(['told at the start', 'told as well']);
  expect(take(3_999, 5_000)).toEqual(['not told']);
});

test('only so many are taken at a time, and none is passed over', () => {
  const { note, take } = things();
  for (const name of ['a', 'b', 'c']) note(name, 0, 'unknown');
  expect([take(0, 100, 2), take(0, 100, 2), take(0, 100, 2)]).toEqual([['a', 'b'], ['c'], []]);
});

test('what cannot be told now is told as soon as it can, and keeps nothing else waiting', () => {
  const { note, take } = things();
  for (const name of ['busy', 'free']) note(name, 0, 'unknown');
  const isFree = ({ cause }: Unfinished) => cause.uid !== 'busy';
  expect(take(0, 100, 10, isFree)).toEqual(['free']);
  expect(take(0, 200)).toEqual(['busy']);
});

test('what is finished is not told again, and is not kept', () => {
  const { unfinished, note, take } = things();
  note('a', 0, 'now');
  note('b', 0, 'unknown');
  for (const name of ['a', 'b']) note(name, 1, 'as before', false);
  expect([take(100, 200), unfinished.size]).toEqual([[], 0]);
});

test('a change that is told starts its time anew, and one that brings no message does not', () => {
  const { note, take } = things();
  note('told', 0, 'now');
  note('silent', 0, 'now');
  note('told', 500, 'now');
  note('silent', 500, 'as before');
  expect(take(100, 600)).toEqual(['silent']);
  expect(take(500, 700)).toEqual(['told']);
});

test('what our own step has just begun is not told to it at once, and what nobody has told stays so', () => {
  const { note, take } = things();
  note('begun', 1_000, 'as before');
  note('found', 1_000, 'unknown');
  note('found', 1_500, 'as before');
  expect(take(500, 2_000)).toEqual(['found']);
  expect(take(1_000, 3_000)).toEqual(['begun']);
});

test('what a change of another object has finished is not sent again, and what it has begun is, in its time', () => {
  const { unfinished, note, take } = things();
  const about = (name: string) => ({ resource: resources.claim, namespace: 'prod', name });
  const renew = (name: string, nowMs: number, isOpen: boolean) => {
    const cause = { uid: `${name} anew`, resourceVersion: '2', type: 'update' as const };
    unfinished.renew(about(name), { cause, owner: undefined, routes: isOpen ? [route] : [] }, nowMs);
  };
  note('sent', 0, 'now');
  note('not sent', 0, 'unknown');
  note('over', 0, 'now');
  note('over, not sent', 0, 'unknown');
  for (const name of ['over', 'over, not sent', 'was never open']) renew(name, 10, false);
  for (const name of ['sent', 'not sent', 'begun']) renew(name, 10, true);
  expect(unfinished.size).toBe(3);
  expect(take(0, 20)).toEqual(['not sent anew', 'sent anew']);
  expect(take(10, 30)).toEqual(['begun anew']);
});

test('what is only looked at is sent once, after what is unfinished, and does not count', () => {
  const { unfinished, note, take } = things();
  const check = (uid: string) => {
    unfinished.noteCheck({ cause: { uid, resourceVersion: '1', type: 'update' }, owner: undefined, routes: [route] });
  };
  for (const name of ['one', 'two', 'three']) check(name);
  note('unfinished', 0, 'unknown');
  expect(unfinished.size).toBe(1);
  expect(take(0, 10, 2)).toEqual(['unfinished', 'one']);
  expect(take(0, 20, 2, ({ cause }) => cause.uid !== 'two')).toEqual(['three']);
  expect([take(0, 30), take(5, 40)]).toEqual([['two'], []]);
});
