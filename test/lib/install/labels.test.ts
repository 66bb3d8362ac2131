import { expect, test } from '@jest/globals';
import { isNewer, isOurs, ourSelector, versionOf, withLabels } from '../../../lib/install/labels.ts';

const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n', labels: { team: 'storage' } } };

test('an object says that it is ours, and of which release', () => {
  const labelled = withLabels(object, '1.2.3');
  expect(labelled.metadata.labels).toEqual({
    team: 'storage',
    'app.kubernetes.io/name': 'longshore',
    'app.kubernetes.io/version': '1.2.3',
    'app.kubernetes.io/managed-by': 'longshore-install',
  });
  expect([isOurs(labelled), versionOf(labelled), isOurs(object)]).toEqual([true, '1.2.3', false]);
  const selected = ourSelector.split(',').map((each) => each.split('='));
  expect(labelled.metadata.labels).toMatchObject(Object.fromEntries(selected));
});

test('an object that others install under the same name is not ours', () => {
  const labels = { 'app.kubernetes.io/name': 'longshore', 'app.kubernetes.io/managed-by': 'Helm' };
  expect(isOurs({ ...object, metadata: { name: 'n', labels } })).toBe(false);
});

test.each([
  ['0.2.0', '0.1.9'],
  ['0.10.0', '0.9.0'],
  ['1.0.0', '1.0.0-rc.2'],
  ['1.0.0-rc.10', '1.0.0-rc.2'],
  ['1.0.0-rc.1', '1.0.0-beta.3'],
  ['1.0.1', '1.0'],
])('%s is newer than %s', (newer, older) => {
  expect([isNewer(newer, older), isNewer(older, newer), isNewer(newer, newer)]).toEqual([true, false, false]);
});
