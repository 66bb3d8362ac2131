import { expect, test } from '@jest/globals';
import { explanationOf, explanations } from '../../../lib/capabilities/explanation.ts';

test('each reason that people see says what to do about it, in whole sentences', () => {
  const unclear = explanations.filter(({ toDo }) => !/^[A-Z].*\w\.$/.test(toDo));
  expect(unclear).toEqual([]);
  const silent = explanations.filter(({ shown, toDo }) => shown === 'log' && toDo !== 'Nothing.');
  expect(silent).toEqual([]);
});

test('a word is explained for everything that gives it as a reason', () => {
  expect(explanationOf('SourceMissing').map(({ about }) => about)).toEqual(['transfers', 'data sources']);
  expect(explanationOf('approvalmissing')).toEqual([
    {
      about: 'transfers',
      reason: 'ApprovalMissing',
      shown: 'condition',
      means: 'Nobody in the source namespace has approved the request yet.',
      toDo: 'The owner of the source claim creates the approval that the message names, or a ReferenceGrant.',
    },
  ]);
  expect(explanationOf('Pending').map(({ about }) => about)).toEqual(['all kinds']);
  expect(explanationOf('toString')).toEqual([]);
});

test('nobody is sent to a file that they do not have', () => {
  const sent = explanations.filter(({ means, toDo }) => /\b(docs|manifests)\//.test(means + toDo));
  expect(sent).toEqual([]);
});
