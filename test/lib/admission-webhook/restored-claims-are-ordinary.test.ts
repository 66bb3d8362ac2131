import { expect, test } from '@jest/globals';
import { claim, patchOf } from './reviews.ts';

const complete = { 'pvc.kubernetes.io/transfer-status': 'complete' };
const held = { apiGroup: 'longshore.dev', kind: 'Transfer', name: 'accepted' };
const selector = { matchLabels: { 'longshore.dev/volume': 'transferred' } };
const removed = (...given: Parameters<typeof claim>) =>
  patchOf('restored-claims-are-ordinary', claim(...given)).map(({ op, path }) => `${op} ${path}`);

test('a claim from a backup loses its marks and what held it, and keeps where it came from', () => {
  const annotations = {
    team: 'a',
    transferAccept: 'prod/data',
    'longshore.dev/transferred-by': 'a/b/c',
    'longshore.dev/transferred-from': 'prod/data',
    'longshore.dev/namespace-uids': '1',
    ...complete,
  };
  expect(removed({ dataSource: held, dataSourceRef: held, selector }, annotations)).toEqual([
    'remove /metadata/annotations/transferAccept',
    'remove /metadata/annotations/longshore.dev~1transferred-by',
    'remove /metadata/annotations/pvc.kubernetes.io~1transfer-status',
    'remove /spec/dataSource',
    'remove /spec/dataSourceRef',
    'remove /spec/selector',
  ]);
});

test('data and selectors of its own stay', () => {
  const dataSource = { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 'back' };
  const more = { matchLabels: { ...selector.matchLabels, disk: 'fast' } };
  const spec = { dataSource, dataSourceRef: { ...held, apiGroup: 'example.com' }, selector: more };
  expect(removed(spec, complete)).toEqual(['remove /metadata/annotations/pvc.kubernetes.io~1transfer-status']);
});

test('what a request moved is no more its own: the server asks only about users who may not write marks', () => {
  expect(removed({}, { 'longshore.dev/transferred-by': 'a/b/c' })).toEqual([
    'remove /metadata/annotations/longshore.dev~1transferred-by',
  ]);
});

const pending = { 'pvc.kubernetes.io/transfer-status': 'pending' };
const fence = 'longshore.dev/transfer-offer';

test('an offered claim from a backup loses the mark that says that its volume is safe, and keeps its wish', () => {
  expect(removed({}, { transferRequest: 'test/data', ...pending })).toEqual([
    'remove /metadata/annotations/pvc.kubernetes.io~1transfer-status',
  ]);
});

test('an accepting claim from a backup loses the marks of the volume that it waited for, and is held as before', () => {
  const annotations = { transferAccept: 'prod/data', 'longshore.dev/transfer-volume': 'volume', ...pending };
  expect(removed({ dataSourceRef: held, selector }, annotations)).toEqual([
    'remove /metadata/annotations/longshore.dev~1transfer-volume',
    'remove /metadata/annotations/pvc.kubernetes.io~1transfer-status',
  ]);
});

test.each([{}, pending, complete])('a fence that is copied along comes off, and other finalizers stay: %j', (marks) => {
  const fenced = claim({}, { transferRequest: 'test/data', ...marks }, { finalizers: ['example.com/a', fence] });
  const unfenced = { op: 'replace', path: '/metadata/finalizers', value: ['example.com/a'] };
  expect(patchOf('restored-claims-are-ordinary', fenced)).toContainEqual(unfenced);
});

test.each([undefined, {}, { transferAccept: 'prod/data' }, { 'pvc.kubernetes.io/transfer-status': 'other' }])(
  'a claim that was not transferred stays as it is: %j',
  (annotations) => {
    expect(removed({ dataSourceRef: held, selector }, annotations)).toEqual([]);
  },
);

test('a claim that is changed stays as it is', () => {
  expect(patchOf('restored-claims-are-ordinary', claim({}, complete), claim({}, complete))).toEqual([]);
});
