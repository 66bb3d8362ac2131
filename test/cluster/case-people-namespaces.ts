import { type Cell, lacks, missing, own, type Row, unserved } from './case-people-rows.ts';

const noNamespace: Cell = [1, 'there is no namespace team-x: check -n and the context'];

/** For whoever works in a namespace. */
export const ofNamespaces: readonly Row[] = [
  {
    name: 'why',
    words: () => ['why', 'streq/asked', ...own],
    cells: {
      nobody: lacks('get', 'storagetransferrequests'),
      readers: [3, 'PersistentVolumeClaim team-b/db you may not read it'],
      'cluster-admin': [3, 'Nobody works on it: no process is active. See: longshore status'],
    },
    elsewhere: [1, 'the cluster does not serve storagetransferrequests. Check the context, and then: longshore check'],
  },
  {
    name: 'explain',
    words: () => ['explain', 'ApprovalMissing'],
    cells: { others: [0, 'Waiting on: the owner in the other namespace'] },
    elsewhere: [0, 'Waiting on: the owner in the other namespace'],
  },
  {
    name: 'move',
    words: (person) => ['move', `pvc/moved-${person}`, '--from', 'team-b', ...own, '--no-wait'],
    cells: {
      nobody: lacks('get', 'storagetransferrequests'),
      view: lacks('create', 'storagetransferrequests'),
      others: [0, /: longshore approve streq\/team-b\.moved-\S+ -n team-b --for team-a --claim moved-/],
    },
    elsewhere: unserved('StorageTransferRequest'),
  },
  {
    name: 'approve',
    words: (person) => [
      'approve',
      'streq/x',
      ...own,
      '--for',
      'team-b',
      '--claim',
      'db',
      '--approval',
      `given-${person}`,
      '--yes',
    ],
    cells: {
      nobody: lacks('get', 'persistentvolumeclaims'),
      view: lacks('create', 'storagetransferapprovals'),
      edit: lacks('create', 'storagetransferapprovals'),
      others: [0, 'created: claim team-a/db may go to namespace team-b.'],
    },
    elsewhere: unserved('StorageTransferApproval'),
  },
  {
    name: 'offer',
    words: (person) => ['offer', `pvc/offered-${person}`, '--to', 'team-b', ...own, '--yes', '--no-wait'],
    cells: {
      nobody: lacks('get', 'persistentvolumeclaims'),
      view: lacks('patch', 'persistentvolumeclaims'),
      others: [0, /: longshore accept pvc\/offered-\S+ --from team-a /],
    },
    elsewhere: missing('claim team-a/offered-cluster-admin'),
  },
  {
    name: 'accept',
    words: (person) => ['accept', 'pvc/c', '--from', 'team-b', ...own, '--size', '1Gi', '--to-name', `got-${person}`],
    cells: {
      nobody: lacks('get', 'persistentvolumeclaims'),
      view: lacks('create', 'persistentvolumeclaims'),
      others: [0, 'created. It gets the volume of team-b/c when the owner of that one has offered and deleted it.'],
    },
    elsewhere: unserved('StorageTransferRequest'),
  },
  {
    name: 'cancel a request',
    words: (person) => ['cancel', `streq/cancelled-${person}`, ...own],
    cells: {
      nobody: lacks('get', 'storagetransferrequests'),
      view: lacks('delete', 'storagetransferrequests'),
      others: [0, 'deleted. What the transfer had begun is undone'],
    },
    elsewhere: unserved('StorageTransferRequest'),
  },
  {
    name: 'cancel an approval',
    words: (person) => ['cancel', `stappr/cancelled-${person}`, ...own],
    cells: {
      nobody: lacks('get', 'storagetransferapprovals'),
      view: lacks('delete', 'storagetransferapprovals'),
      edit: lacks('delete', 'storagetransferapprovals'),
      others: [0, 'deleted. What the transfer had begun is undone'],
    },
    elsewhere: unserved('StorageTransferApproval'),
  },
  {
    name: 'cancel an offer',
    words: (person) => ['cancel', `offer/cancelled-${person}`, ...own],
    cells: {
      nobody: lacks('get', 'persistentvolumeclaims'),
      view: lacks('patch', 'persistentvolumeclaims'),
      others: [0, 'is not offered to team-b/cancelled any more. It stays as it is, with its volume.'],
    },
    elsewhere: missing('claim team-a/cancelled-cluster-admin'),
  },
  {
    name: 'restore',
    words: (person) => [
      'restore',
      `s-${person}`,
      '--from',
      'team-b',
      '--to-name',
      `restored-${person}`,
      ...own,
      '--size',
      '1Gi',
      '--no-wait',
    ],
    cells: {
      nobody: lacks('get', 'persistentvolumeclaims'),
      view: lacks('create', 'persistentvolumeclaims'),
      others: [0, ": kubectl apply -f - <<'EOF' apiVersion: gateway.networking.k8s.io/v1beta1 kind: ReferenceGrant"],
    },
    elsewhere: unserved('VolumeSnapshotLink'),
  },
  {
    name: 'bucket create',
    words: (person) => ['bucket', 'create', `made-${person}`, '--class', 'standard', ...own],
    cells: {
      nobody: lacks('create', 'buckets'),
      view: lacks('create', 'buckets'),
      others: [0, /created\. Its credentials are put into Secret made-\S+-access\./],
    },
    elsewhere: unserved('Bucket'),
  },
  {
    name: 'bucket get',
    words: () => ['bucket', 'get', ...own],
    cells: { nobody: lacks('list', 'buckets'), others: [0, / kept standard - kept-access - \d+s/] },
    elsewhere: unserved('Bucket'),
  },
  {
    name: 'bucket get in a wrong namespace',
    words: () => ['bucket', 'get', '-n', 'team-x'],
    cells: {
      others: [
        1,
        'you may not list buckets in namespace team-x: ask an administrator of namespace team-x for the verb',
      ],
      'cluster-admin': noNamespace,
    },
    elsewhere: unserved('Bucket'),
  },
  {
    name: 'bucket delete',
    words: (person) => ['bucket', 'delete', `deleted-${person}`, ...own, '--yes'],
    cells: {
      nobody: lacks('get', 'buckets'),
      view: lacks('delete', 'buckets'),
      others: [0, 'deleted. It goes when its access has been revoked.'],
    },
    elsewhere: unserved('Bucket'),
  },
  {
    name: 'pending',
    words: () => ['pending', ...own],
    cells: {
      nobody: [1, /you may not list persistentvolumeclaims, .* in namespace team-a: ask an administrator of namespace/],
      readers: [0, 'you may not list storagetransferrequests in the whole cluster: ask a cluster administrator'],
      'cluster-admin': [0, /\d+ wait in namespace team-a, 0 of them for you\./],
    },
    elsewhere: unserved('StorageTransferRequest'),
  },
  {
    name: 'pending in a wrong namespace',
    words: () => ['pending', '-n', 'team-x'],
    cells: {
      others: [1, /you may not list persistentvolumeclaims, .* in namespace team-x: ask an administrator of namespace/],
      'cluster-admin': noNamespace,
    },
    elsewhere: unserved('StorageTransferRequest'),
  },
  {
    name: 'pending everywhere',
    words: () => ['pending', '-A'],
    cells: {
      others: [1, /you may not list persistentvolumeclaims, .* in the whole cluster: ask a cluster administrator/],
      'cluster-admin': [0, /\d+ wait in the cluster, 0 of them for you\./],
    },
    elsewhere: unserved('StorageTransferRequest'),
  },
];
