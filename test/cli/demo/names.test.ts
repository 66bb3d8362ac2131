import { expect, test } from '@jest/globals';
import { demoLabel, isDemo, namespaceOf, newDemo } from '../../../cli/demo/names.ts';

test('both namespaces of a demo are recognised', () => {
  const demo = newDemo();
  expect((['a', 'b'] as const).map((which) => isDemo(namespaceOf(demo, which)))).toEqual([true, true]);
});

test.each([
  ['longshore-demo-abc-prod', 'abc'],
  ['longshore-demo-abc-a-backup', 'abc'],
  ['longshore-demo-abc-a', 'xyz'],
  ['longshore-demo--a', ''],
  ['longshore-demo-abc-a', undefined],
  ['prod', 'abc'],
])('namespace %s with label %j is not taken for one', (name, label) => {
  const { apiVersion, kind } = namespaceOf('abc', 'a');
  const labels = label === undefined ? {} : { [demoLabel]: label };
  expect(isDemo({ apiVersion, kind, metadata: { name, labels } })).toBe(false);
});
