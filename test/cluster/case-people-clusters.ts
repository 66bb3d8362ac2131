import { isServed } from './case-needs.ts';
import { lacks, own, type Row } from './case-people-rows.ts';

const lackedByAll = 'nothing was changed: you lack the following permissions, which a cluster administrator has: - ';

/** For administrators of clusters. */
export const ofClusters: readonly Row[] = [
  {
    name: 'install --dry-run',
    words: () => ['install', '--dry-run'],
    cells: { others: [1, lackedByAll], 'cluster-admin': [0, / 1 left alone, \d+ unchanged\./] },
    // Each of the three policies that change claims has a binding.
    elsewhere: [3, isServed ? / 33 to create\./ : / 27 to create\./],
  },
  {
    name: 'uninstall --dry-run',
    words: () => ['uninstall', '--dry-run'],
    cells: { others: [1, lackedByAll], 'cluster-admin': [3, 'The following needs Longshore, or would be lost:'] },
    elsewhere: [0, 'Nothing that longshore install has installed is there.'],
  },
  {
    name: 'demo',
    words: () => ['demo'],
    cells: {
      others: [1, /you may not get, list, create, delete namespaces; .*: ask a cluster administrator/],
      'cluster-admin': [1, '✗ forwarder Longshore does not run for this cluster run: longshore run'],
    },
    elsewhere: [1, '✗ CRDs none of the 7 CRDs is there run: longshore install'],
  },
  {
    name: 'check',
    words: () => ['check'],
    cells: {
      others: [0, '! CRDs you may not get customresourcedefinitions in the whole cluster: ask a cluster administrator'],
      'cluster-admin': [3, /✓ permissions system:serviceaccount:longshore-system:run has all \d+/],
    },
    elsewhere: [3, /✗ policies none of the \d+ policies and bindings is there run: longshore install/],
  },
  {
    name: 'check --pre',
    words: () => ['check', '--pre'],
    cells: {
      others: [3, /✗ installing you may not create or change namespaces, .*: ask a cluster administrator/],
      'cluster-admin': [0, '✓ installing you may create everything'],
    },
    elsewhere: [0, '✓ installing you may create everything'],
  },
  {
    name: 'status',
    words: () => ['status', '--timeout', '60s'],
    cells: {
      others: [3, /you may not list storagetransferrequests, .* in the whole cluster: .*, or name your namespace with/],
      'cluster-admin': [3, '! no process is active, and none has ever been run: longshore run'],
    },
    elsewhere: [3, '! no process is active, and none has ever been run: longshore run'],
  },
  {
    name: 'status of a namespace',
    words: () => ['status', ...own, '--timeout', '60s'],
    cells: {
      nobody: [3, /you may not list .* in namespace team-a: ask an administrator of namespace team-a/],
      readers: [3, /the Lease of the active process cannot be read: you may not list leases .* OBJECTS /],
      'cluster-admin': [3, /! no process is active, and none has ever been run: longshore run .* OBJECTS /],
    },
    elsewhere: [3, 'no process is active'],
  },
  {
    name: 'status of a wrong namespace',
    words: () => ['status', '-n', 'team-x', '--timeout', '60s'],
    cells: {
      others: [3, /you may not list .* in namespace team-x: ask an administrator of namespace team-x/],
      'cluster-admin': [3, 'there is no namespace team-x: check -n and the context'],
    },
    elsewhere: [3, 'there is no namespace team-x: check -n and the context'],
  },
  {
    name: 'retry',
    words: () => ['retry', 'pvc/db', ...own],
    cells: {
      nobody: lacks('get', 'persistentvolumeclaims'),
      readers: [1, 'you may not ask the active process, which takes the verbs list, get and patch on leases.coordin'],
      'cluster-admin': [1, "no process is active, so nothing can be tried: start 'longshore run'"],
    },
    elsewhere: [1, 'there is no pvc/db in the namespace team-a, and no other'],
  },
];
