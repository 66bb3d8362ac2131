import { describe, expect, test } from '@jest/globals';
import { functions } from '../../../../cli/dead-letters/known-functions.ts';
import { Choices, nothingIncluded } from '../../../../lib/recovery/dead-letters/choices.ts';
import type { DeadLetterState } from '../../../../lib/recovery/dead-letters/diagnose.ts';
import type { Choice } from '../../../../lib/recovery/dead-letters/redrive-counts.ts';
import { subjectOf } from '../../../../lib/recovery/dead-letters/subject.ts';
import { creating, deleting, made } from '../../capabilities/buckets/steps/request-bucket/samples.ts';
import { messageAbout } from './case-queues.ts';
import { deadLetter } from './fake-dead-letter-queue.ts';

const subjectIn = (body: string, name = 'request-bucket') =>
  subjectOf(deadLetter('1', { function: name, body }), functions);
const create = subjectIn(creating());
const remove = subjectIn(deleting());
const others = subjectIn(creating({ name: 'films' }));
const adoption = subjectIn(made('data-1'));
const transfer = subjectOf(deadLetter('1', { body: messageAbout('db1').body }), functions);

type Given = [typeof create, DeadLetterState, Choice];

function chosen(given: readonly Given[], included = nothingIncluded): Choice[] {
  const choices = new Choices(included);
  return given.map(([subject, state]) => choices.next(subject, { state }));
}

test.each<[DeadLetterState, Choice]>([
  ['open', 'deletion'],
  ['failing', 'deletion'],
  ['unknown', 'deletion'],
  ['done', 'finished'],
  ['unknown-cluster', 'unprocessable'],
])('a request to delete a Bucket is never moved by default: %s', (state, choice) => {
  expect(chosen([[remove, state, choice]])).toEqual([choice]);
});

test.each<[DeadLetterState]>([['done'], ['gone'], ['unknown-cluster'], ['open'], ['unknown'], ['failing']])(
  'nor by including everything but deletions: %s',
  (state) => {
    expect(chosen([[remove, state, 'deletion']], { done: true, unprocessable: true, deletions: false })).toEqual([
      'deletion',
    ]);
  },
);

describe.each<[string, Given[]]>([
  [
    'what comes behind a deletion that is left stays with it, and what is about others does not',
    [
      [remove, 'open', 'deletion'],
      [create, 'open', 'behind a deletion'],
      [others, 'open', 'move'],
      [transfer, 'open', 'move'],
      [adoption, 'unknown', 'move'],
    ],
  ],
  [
    'nothing waits behind a deletion that would do nothing',
    [
      [remove, 'done', 'finished'],
      [create, 'open', 'move'],
      [remove, 'failing', 'deletion'],
      [create, 'open', 'move'],
    ],
  ],
  [
    'where a cluster could not be read, nothing overtakes a deletion either',
    [
      [remove, 'unknown', 'deletion'],
      [create, 'unknown', 'behind a deletion'],
    ],
  ],
])('%s', (_, given) => {
  test('by default', () => expect(chosen(given)).toEqual(given.map(([, , choice]) => choice)));
});

test('deletions go with what is behind them when they are included', () => {
  const included = { ...nothingIncluded, deletions: true };
  const given: Given[] = [
    [remove, 'open', 'move'],
    [create, 'open', 'move'],
    [remove, 'done', 'finished'],
  ];
  expect(chosen(given, included)).toEqual(given.map(([, , choice]) => choice));
});
