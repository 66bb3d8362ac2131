import { describe, expect, test } from '@jest/globals';
import { conflictText, planText } from '../../../cli/install/plan-text.ts';
import { defaultChoices } from '../../../lib/install/choices.ts';
import type { Difference } from '../../../lib/install/differences.ts';
import { type Action, type PlanEntry, planOf } from '../../../lib/install/plan.ts';

const entry = (action: Action, name: string, more: Partial<PlanEntry> = {}): PlanEntry => ({
  action,
  object: { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name } },
  differences: [],
  ...more,
});
const difference = (more: Partial<Difference> = {}): Difference => ({
  path: 'rules',
  before: [{ verbs: ['get'] }, { verbs: ['list'] }],
  after: [{ verbs: ['get'] }, { verbs: ['watch'] }],
  owners: [],
  ...more,
});
const planned = (entries: PlanEntry[], served: readonly string[] = [], notes: string[] = []) =>
  planOf({
    entries,
    choices: defaultChoices,
    server: { version: 'v1.36.3', serves: ({ kind }) => served.includes(kind) },
    notes,
    dropped: [],
  });
const allKinds = [
  'ValidatingAdmissionPolicy',
  'MutatingAdmissionPolicy',
  'VolumeSnapshot',
  'VolumePopulator',
  'ReferenceGrant',
];

describe('a plan as people read it', () => {
  test('lists what is done and what is left, and counts the rest', () => {
    const text = planText(
      planned(
        [entry('create', 'a'), entry('leave', 'b', { note: 'never changed' }), entry('unchanged', 'c')],
        allKinds,
      ),
    );
    expect(text).toMatch(
      /^ACTION {2}OBJECT {9}WHAT\ncreate {2}clusterrole\/a\nleave {3}clusterrole\/b {2}never changed\n\n/,
    );
    expect(text).not.toContain('clusterrole/c');
    expect(text.endsWith('\n\n1 to create, 1 left alone, 1 unchanged.')).toBe(true);
  });

  test('shows of a list only what comes and goes, and whose it was', () => {
    const text = planText(planned([entry('change', 'a', { differences: [difference({ owners: ['flux', 'x'] })] })]));
    expect(text).toContain(
      '\n\nclusterrole/a\n  rules (set by flux, x)\n    - {"verbs":["list"]}\n    + {"verbs":["watch"]}\n\n',
    );
  });

  test('shows the beginning of what is long, and where the value is another', () => {
    const before = Array.from({ length: 30 }, (_, index) => index);
    const text = planText(planned([entry('change', 'a', { differences: [difference({ before, after: 'one' })] })]));
    expect(text.split('\n').filter((line) => line.startsWith('    - '))).toHaveLength(13);
    expect(text).toContain('    - … 18 more lines\n    + one\n');
  });

  test('does not repeat what only says the release', () => {
    const path = 'metadata.labels.app.kubernetes.io/version';
    const text = planText(planned([entry('change', 'a', { differences: [difference({ path })] })]));
    expect(text).toContain(`change  clusterrole/a  ${path}`);
    expect(text).not.toContain('    - ');
  });

  test('writes nothing on the screen that others have put there', () => {
    const after = { 'a\u001b[2J': 'b\u202e' };
    const text = planText(planned([entry('change', 'a\u001b[31m', { differences: [difference({ after })] })]));
    expect(['\u001b', '\u202e'].filter((each) => text.includes(each))).toEqual([]);
  });

  test('says what is lost where a kind is not served, and only there', () => {
    const served = allKinds.filter((kind) => kind !== 'MutatingAdmissionPolicy');
    const text = planText(planned([entry('create', 'a')], served, ['be careful']));
    expect(text).toMatch(/^MutatingAdmissionPolicy {4}not served$/m);
    expect(text).toMatch(
      /^Without MutatingAdmissionPolicy: users must write by hand .*kind: Transfer, name: accepted/m,
    );
    expect(text.match(/^Without /gm)).toHaveLength(1);
    expect(text).toContain('\n\nNote: be careful\n\n');
  });
});

describe('conflicts', () => {
  test('name the object, the field and whoever has set it, and what to type', () => {
    const differences = [difference({ owners: ['kubectl-edit', 'helm'] })];
    const text = conflictText(planned([entry('change', 'a', { differences })]));
    expect(text).toContain('use --force-conflicts');
    expect(text).toContain('\n- clusterrole/a: rules was set by kubectl-edit and helm');
  });

  test('are also what differs in an object of others that has no owners', () => {
    const text = conflictText(planned([entry('adopt', 'a', { differences: [difference()] })]));
    expect(text).toContain('clusterrole/a: rules differs, and somebody else has made the object');
  });

  test('are none where only we have set it, or where only our marks are added', () => {
    const path = 'metadata.labels.app.kubernetes.io/name';
    const plan = planned([
      entry('change', 'a', { differences: [difference()] }),
      entry('adopt', 'b', { differences: [difference({ path })] }),
    ]);
    expect(conflictText(plan)).toBeUndefined();
  });
});
