import { expect, test } from '@jest/globals';
import { differencesOf } from '../../../lib/install/differences.ts';
import type { AnyObject } from '../../../lib/install/installable.ts';

const role = (rules: unknown, metadata: object = {}): AnyObject => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name: 'longshore-run', ...metadata },
  rules,
});
const by = (manager: string, fieldsV1: object, more: object = {}) => ({ manager, fieldsV1, ...more });

test('what only the server writes is no difference', () => {
  const before = role([], { resourceVersion: '1', generation: 1, managedFields: [] });
  const after = { ...role([], { resourceVersion: '2', generation: 2, managedFields: [1] }), status: { a: 1 } };
  expect(differencesOf(before, after, 'us')).toEqual([]);
});

test('a list is compared as a whole, and a field that is gone is one', () => {
  const before = role([{ verbs: ['get'] }], { labels: { a: '1', b: '2' } });
  const after = role([{ verbs: ['get', 'list'] }], { labels: { a: '1' } });
  expect(differencesOf(before, after, 'us')).toEqual([
    { path: 'metadata.labels.b', before: '2', after: undefined, owners: [] },
    { path: 'rules', before: [{ verbs: ['get'] }], after: [{ verbs: ['get', 'list'] }], owners: [] },
  ]);
});

test('the same in another order of fields is no difference', () => {
  const [one, other] = [
    { verbs: ['get'], resources: ['pods'] },
    { resources: ['pods'], verbs: ['get'] },
  ];
  expect(differencesOf(role([one]), role([other]), 'us')).toEqual([]);
});

test.each<[string, object[], string[]]>([
  ['of whom has set it', [by('kubectl-edit', { 'f:rules': {} })], ['kubectl-edit']],
  ['of whom has set a part of it', [by('flux', { 'f:rules': { 'k:{"a":1}': { 'f:verbs': {} } } })], ['flux']],
  ['of whom has set all above it', [by('helm', { 'f:metadata': {}, 'f:rules': {} })], ['helm']],
  ['not ours', [by('us', { 'f:rules': {} })], []],
  ['of nobody who has set something else', [by('argo', { 'f:metadata': { 'f:labels': {} } })], []],
  ['of nobody who has set the status', [by('manager', { 'f:rules': {} }, { subresource: 'status' })], []],
  ['each once', [by('a', { 'f:rules': {} }), by('a', { 'f:rules': {} }), by('b', { 'f:rules': {} })], ['a', 'b']],
])('a field is that %s', (_, managedFields, owners) => {
  const [difference] = differencesOf(role([1], { managedFields }), role([2]), 'us');
  expect(difference?.owners).toEqual(owners);
});
