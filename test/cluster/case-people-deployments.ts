import { type Cell, lacks, type Row } from './case-people-rows.ts';

const context = ['--context', 'main=local'];
const unsure: Cell = [
  1,
  /^cannot tell whether context local \(.*\) is cluster main of longshore-test: you may not read the Lease .* Ask a cluster administrator for the verb get on leases/,
];
const otherCluster: Cell = [
  1,
  /^context local \(.*\) is not cluster main of longshore-test: no forwarder of that has run there .* Use --context/,
];

/** For deployments on AWS, as far as they ask a cluster. */
export const ofDeployments: readonly Row[] = [
  {
    name: 'trace',
    words: () => ['trace', 'pvc', 'team-a/db'],
    cells: { others: unsure, 'cluster-admin': [0, 'PersistentVolumeClaim team-a/db created'] },
    elsewhere: otherCluster,
  },
  {
    name: 'trace of the cluster alone',
    words: () => ['trace', 'pvc', 'team-a/db', '--no-archive'],
    cells: {
      nobody: lacks('get', 'persistentvolumeclaims'),
      others: [0, 'PersistentVolumeClaim team-a/db created'],
    },
    elsewhere: [1, 'nothing is known about PersistentVolumeClaim team-a/db: check kind, namespace and name, or look'],
  },
  {
    name: 'dlq list',
    words: () => ['dlq', 'list', '--no-logs', ...context],
    cells: { others: unsure, 'cluster-admin': [0, 'no dead letters in longshore-test'] },
    elsewhere: otherCluster,
  },
  {
    name: 'redrive --dry-run',
    words: () => ['redrive', '--dry-run', ...context],
    cells: { others: unsure, 'cluster-admin': [0, 'dead letters'] },
    elsewhere: otherCluster,
  },
  {
    name: 'resync --dry-run',
    words: () => ['resync', '--dry-run'],
    cells: { others: unsure, 'cluster-admin': [0, 'match-transfer'] },
    elsewhere: otherCluster,
  },
];
