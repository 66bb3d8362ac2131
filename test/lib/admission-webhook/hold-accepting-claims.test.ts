import { expect, test } from '@jest/globals';
import { claim, patchOf } from './reviews.ts';

const accepts = { transferAccept: 'prod/data' };
const held = { apiGroup: 'longshore.dev', kind: 'Transfer', name: 'accepted' };
const hold = { op: 'add', path: '/spec/dataSourceRef', value: held };
const guard = {
  op: 'add',
  path: '/spec/selector',
  value: { matchLabels: { 'longshore.dev/volume': 'transferred' } },
};
const patch = (...given: Parameters<typeof claim>) => patchOf('hold-accepting-claims', claim(...given));

test('an accepting claim is held, and gets the selector', () => {
  expect(patch({}, accepts)).toEqual([hold, guard]);
});

test.each([{}, { matchLabels: {} }, { matchLabels: {}, matchExpressions: [] }, { matchLabels: null }])(
  'an empty selector counts as none: %j',
  (selector) => {
    expect(patch({ selector }, accepts)).toEqual([hold, guard]);
  },
);

test.each([{ matchLabels: { disk: 'fast' } }, { matchExpressions: [{ key: 'disk', operator: 'Exists' }] }])(
  'its own selector stays: %j',
  (selector) => {
    expect(patch({ selector }, accepts)).toEqual([hold]);
  },
);

test.each<[string, object, Record<string, string> | undefined]>([
  ['accepts nothing', {}, undefined],
  ['gives away', {}, { transferRequest: 'stage/data' }],
  ['has been transferred', {}, { ...accepts, 'pvc.kubernetes.io/transfer-status': 'complete' }],
  ['names its volume', { volumeName: 'volume' }, accepts],
  ['has a data source', { dataSource: { kind: 'PersistentVolumeClaim', name: 'other' } }, accepts],
  ['is held by who wrote it', { dataSourceRef: held }, accepts],
])('a claim that %s stays as it is', (_, spec, annotations) => {
  expect(patch(spec, annotations)).toEqual([]);
});

test('a claim that is changed stays as it is: its spec cannot be changed', () => {
  expect(patchOf('hold-accepting-claims', claim({}, accepts), claim())).toEqual([]);
});
