/** Something that may be done in a cluster. */
export interface Deed {
  verb: string;
  group: string;
  resource: string;
  /** `elsewhere` is any namespace that is none of Longshore's; undefined where there are no namespaces. */
  namespace: string | undefined;
}

/** What somebody could do who has got hold of a function's credentials, where it would be worse than nothing. */
export interface Danger extends Deed {
  /** As docs/security.md says it. */
  what: string;
  /** Whose credentials allow it. */
  holders: readonly string[];
}

/** Written as `get secrets in elsewhere`, with the group behind the resource where it has one. */
function deed(text: string): Deed {
  const [, verb = '', resource = '', group = '', namespace] = /^(\S+) ([\w/]+)\.?(\S*)(?: in (\S+))?$/.exec(text) ?? [];
  return { verb, group, resource, namespace };
}

const rows: readonly (readonly [what: string, deed: string, ...holders: string[]])[] = [
  ['read any Secret', 'get secrets in elsewhere', 'copy-secret'],
  ['list all Secrets, where `forward-secrets.yaml` is applied', 'list secrets in elsewhere', 'forward'],
  ['write any Secret', 'patch secrets in elsewhere', 'copy-secret'],
  ['delete a Secret', 'delete secrets in elsewhere'],
  ["read the drivers' Secrets", 'get secrets in longshore-system', 'copy-secret', 'provision-bucket', 'sweep-buckets'],
  [
    'have any Secret copied into a namespace by `copy-secret`, with a BucketContent',
    'create bucketcontents.cosi.io',
    'bind-bucket',
  ],
  ['the same with a BucketClass', 'create bucketclasses.cosi.io', 'request-bucket'],
  [
    'give a volume to another claim',
    'patch persistentvolumes',
    ...['match-claim', 'match-transfer', 'populate-claim', 'rebind-volume'],
  ],
  ['delete a volume', 'delete persistentvolumes'],
  ['delete any claim', 'delete persistentvolumeclaims in elsewhere', 'match-transfer', 'rebind-volume'],
  ["restore a copy of anybody's snapshot", 'create volumesnapshotcontents.snapshot.storage.k8s.io', 'populate-claim'],
  ['delete a VolumeSnapshotContent', 'delete volumesnapshotcontents.snapshot.storage.k8s.io', 'populate-claim'],
  [
    'keep changes from being forwarded, by the lease',
    'update leases.coordination.k8s.io in longshore-system',
    'forward',
  ],
  ['run anything in the cluster', 'create pods in elsewhere'],
  ['enter a running pod', 'create pods/exec in elsewhere'],
  ['make a token for an account', 'create serviceaccounts/token in longshore-system'],
  ['be somebody else', 'impersonate users'],
  ['give permissions to anybody', 'create clusterrolebindings.rbac.authorization.k8s.io'],
  ['turn an admission policy off', 'delete validatingadmissionpolicybindings.admissionregistration.k8s.io'],
  ['turn the switch', 'patch configmaps in longshore-system'],
];

export const dangers: readonly Danger[] = rows.map(([what, text, ...holders]) => ({ what, ...deed(text), holders }));

/** What only an administrator of the cluster may do: nobody who is an administrator of a namespace. */
export const administratorsOnly: readonly Deed[] = [
  'create bucketclasses.cosi.io',
  'create bucketcontents.cosi.io',
  'patch bucketcontents/status.cosi.io',
  'patch buckets/status.cosi.io in elsewhere',
  'create cosiregistrations.cosi.io',
  'patch persistentvolumes',
  'create volumesnapshotcontents.snapshot.storage.k8s.io',
  'write marks.longshore.dev in elsewhere',
  'get secrets in longshore-system',
  'patch configmaps in longshore-system',
  'update leases.coordination.k8s.io in longshore-system',
].map(deed);
