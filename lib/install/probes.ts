import { isClusterError } from '../kubernetes/errors.ts';
import type { AnyObject } from './installable.ts';
import { systemNamespace } from './kinds.ts';
import type { ObjectsApi } from './objects-api.ts';

/** As whom the server is asked. */
export interface Callers {
  own: ObjectsApi;
  /** A controller of the cluster, which may create claims and may not write Longshore's marks. */
  controller: ObjectsApi;
}

/** What shows that one policy is in force. Nothing is kept of what a probe writes. */
export interface Probe {
  policy: string;
  isInForce(callers: Callers): Promise<boolean>;
}

export const controllerUser = 'system:serviceaccount:kube-system:statefulset-controller';

const claims = `/api/v1/namespaces/${systemNamespace}/persistentvolumeclaims`;
const contents = '/apis/snapshot.storage.k8s.io/v1/volumesnapshotcontents';
const probeName = 'longshore-install-probe';
const statusAnnotation = 'pvc.kubernetes.io/transfer-status';

interface Claim extends AnyObject {
  spec: { dataSourceRef?: { kind: string }; [field: string]: unknown };
}

function claimWith(annotations: Record<string, string>, spec: Record<string, unknown> = {}): Claim {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: `${probeName}-dry-run`, namespace: systemNamespace, annotations },
    // No class of this name exists, and an empty one asks for no default.
    spec: {
      accessModes: ['ReadWriteOnce'],
      storageClassName: '',
      resources: { requests: { storage: '1Mi' } },
      ...spec,
    },
  };
}

async function refuses(policy: string, write: () => Promise<unknown>): Promise<boolean> {
  try {
    await write();
    return false;
  } catch (error) {
    // Another refusal says nothing about this policy.
    if (isClusterError(error) && error.message.includes(policy)) return true;
    throw error;
  }
}

const rejectsClaim =
  (policy: string, claim: Claim) =>
  ({ own }: Callers) =>
    refuses(policy, () => own.create(claims, claim, { isDryRun: true }));

const changesClaim =
  (claim: Claim, isChanged: (answer: Claim) => boolean) =>
  async ({ own }: Callers) =>
    isChanged(await own.create<Claim>(claims, claim, { isDryRun: true }));

/** One for each policy; those that hide what another one shows come after that. */
export const probes: readonly Probe[] = [
  {
    policy: 'longshore-accepting-claims-are-held',
    isInForce: rejectsClaim('longshore-accepting-claims-are-held', claimWith({ transferAccept: 'malformed' })),
  },
  {
    policy: 'longshore-references-are-not-dropped',
    isInForce: rejectsClaim('longshore-references-are-not-dropped', claimWith({}, referenceTo('malformed'))),
  },
  {
    policy: 'longshore-marks-are-longshores',
    isInForce: ({ controller }) =>
      refuses('longshore-marks-are-longshores', () =>
        controller.create(claims, claimWith({ 'longshore.dev/probe': 'dry-run' }), { isDryRun: true }),
      ),
  },
  {
    policy: 'longshore-copies-keep-their-snapshots',
    isInForce: ({ own }) =>
      refuses('longshore-copies-keep-their-snapshots', () => own.create(contents, copyToDelete, { isDryRun: true })),
  },
  {
    policy: 'longshore-hold-accepting-claims',
    isInForce: changesClaim(
      claimWith({ transferAccept: `${systemNamespace}/probe` }),
      ({ spec }) => spec.dataSourceRef?.kind === 'Transfer',
    ),
  },
  {
    policy: 'longshore-restored-claims-are-ordinary',
    isInForce: changesClaim(
      claimWith({ [statusAnnotation]: 'complete' }),
      ({ metadata }) => metadata.annotations?.[statusAnnotation] === undefined,
    ),
  },
  {
    policy: 'longshore-keep-references-to-snapshots',
    isInForce: changesClaim(
      claimWith({}, { dataSourceRef: { ...snapshotNamed('probe'), namespace: systemNamespace } }),
      ({ spec }) => spec.dataSourceRef?.kind === 'VolumeSnapshotReference',
    ),
  },
  { policy: 'longshore-offered-claims-are-safe', isInForce: ({ own }) => refusesDeletion(own) },
];

function referenceTo(name: string) {
  return { dataSourceRef: { apiGroup: 'longshore.dev', kind: 'VolumeSnapshotReference', name } };
}

function snapshotNamed(name: string) {
  return { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name };
}

const copyToDelete = {
  apiVersion: 'snapshot.storage.k8s.io/v1',
  kind: 'VolumeSnapshotContent',
  metadata: { name: `${probeName}-dry-run`, annotations: { 'longshore.dev/populates': 'dry-run' } },
  spec: {
    deletionPolicy: 'Delete',
    driver: 'probe.longshore.dev',
    source: { snapshotHandle: 'probe' },
    volumeSnapshotRef: { name: 'probe', namespace: systemNamespace },
  },
};

/**
 * Only a claim that is there can be refused its deletion: so there is one for a moment, in our own namespace. It names a
 * volume that does not exist, so it gets none.
 */
async function refusesDeletion(api: ObjectsApi): Promise<boolean> {
  const offer = claimWith({ transferRequest: `${systemNamespace}/${probeName}` }, { volumeName: probeName });
  const claim = { ...offer, metadata: { ...offer.metadata, name: probeName } };
  await clearProbe(api);
  const { metadata } = await api.create(claims, claim);
  try {
    return await refuses('longshore-offered-claims-are-safe', () =>
      api.delete(`${claims}/${probeName}`, String(metadata.uid), { isDryRun: true }),
    );
  } finally {
    await clearProbe(api);
  }
}

/** Somebody else's claim of that name has another volume, or may still get one. */
export function isProbe({ metadata, spec }: AnyObject): boolean {
  return metadata.name === probeName && (spec as Claim['spec'] | undefined)?.volumeName === probeName;
}

/** Also of a run that was stopped. */
export async function clearProbe(api: ObjectsApi): Promise<void> {
  const left = await api.get(`${claims}/${probeName}`);
  if (!left || !isProbe(left)) return;
  await api.patch(`${claims}/${probeName}`, { metadata: { annotations: { transferRequest: null } } });
  await api.delete(`${claims}/${probeName}`, String(left.metadata.uid));
}
