import { claimAnnotation, copyNameFor } from '../capabilities/data-sources/names.ts';
import type { Uid } from '../kubernetes/brands.ts';
import type { AnyObject } from './installable.ts';
import { installedKinds } from './kinds.ts';
import { isOurs } from './labels.ts';
import { isProbe } from './probes.ts';

/**
 * installed  install has put it there: it is removed by itself
 * kubernetes it is in every namespace, goes with something else that is in this one, or is being deleted already
 * ours       Longshore has written it while it ran, or people as our documentation tells them
 * others     everything else, also if in doubt: a name alone proves nothing where anybody may have chosen it
 */
export type Belonging = 'installed' | 'kubernetes' | 'ours' | 'others';

interface Owned {
  ownerReferences?: { uid?: string; apiVersion?: string; kind?: string }[];
}

/** Whose an object in our namespace is, given all of them. */
export function belongingOf(object: AnyObject, all: readonly AnyObject[]): Belonging {
  // Labels are copied easily, also to a claim with somebody's data.
  if (isOurs(object) && installedKinds.some(({ kind }) => kind === object.kind)) return 'installed';
  if (object.metadata.deletionTimestamp !== undefined) return 'kubernetes';
  const { ownerReferences = [] } = object.metadata as Owned;
  if (ownerReferences.some(({ uid }) => uid !== undefined && all.some(({ metadata }) => metadata.uid === uid))) {
    return 'kubernetes';
  }
  return (recognised[object.kind] ?? (() => 'others'))(object, all);
}

type Recognise = (object: AnyObject, all: readonly AnyObject[]) => Belonging;

const oursIf =
  (isOurOwn: (object: AnyObject) => boolean): Recognise =>
  (object) =>
    isOurOwn(object) ? 'ours' : 'others';

/** deployment/run-in-cluster.yaml. */
const isOfRun = ({ metadata: { name, labels = {} } }: AnyObject) =>
  name === 'longshore-run' &&
  labels['app.kubernetes.io/name'] === 'longshore' &&
  labels['app.kubernetes.io/component'] === 'run';

/** What a claim is populated from: it has the uid of that in its name as well, so that no copy of it under another name counts. */
const isCopy = ({ metadata: { name, annotations = {} } }: AnyObject) => {
  const uid = annotations[claimAnnotation]?.split('/')[2] ?? '';
  return uid !== '' && name === copyNameFor(uid as Uid);
};

const recognised: Readonly<Record<string, Recognise>> = {
  ServiceAccount: ({ metadata }) => (metadata.name === 'default' ? 'kubernetes' : 'others'),
  ConfigMap: ({ metadata: { name } }) => {
    if (name === 'kube-root-ca.crt') return 'kubernetes';
    // The switch, and the report of `sweep-buckets`.
    return name === 'longshore' || name === 'bucket-orphans' ? 'ours' : 'others';
  },
  Secret: whoseSecret,
  Lease: oursIf(({ metadata }) => metadata.name.startsWith('forward.')),
  PersistentVolumeClaim: oursIf((claim) => isCopy(claim) || isProbe(claim)),
  VolumeSnapshot: oursIf(isCopy),
  Deployment: oursIf(isOfRun),
  PodDisruptionBudget: oursIf(isOfRun),
  // docs/kubernetes-versions.md.
  Service: oursIf(isOfRun),
  // Its controller gives it the name of its Service, and no owner.
  Endpoints: ({ metadata }, all) =>
    all.some(({ kind, metadata: { name } }) => kind === 'Service' && name === metadata.name) ? 'kubernetes' : 'others',
  // As in deployment/eks-groups.yaml: it gives a right of ours to somebody, which ends with our role.
  RoleBinding: ({ roleRef }, all) => {
    const { kind, name } = (roleRef ?? {}) as { kind?: string; name?: string };
    const isRole = (each: AnyObject) => each.kind === 'Role' && isOurs(each) && each.metadata.name === name;
    return kind === 'Role' && all.some(isRole) ? 'ours' : 'others';
  },
};

/** A token goes with its service account, and a driver's credentials with their BucketContent. */
function whoseSecret(secret: AnyObject, all: readonly AnyObject[]): Belonging {
  const { ownerReferences = [] } = secret.metadata as Owned;
  const isDrivers = ownerReferences.some(({ apiVersion = '', kind }) => {
    return kind === 'BucketContent' && apiVersion.startsWith('cosi.io/');
  });
  if (isDrivers && secret.metadata.name.startsWith('bucket-')) return 'ours';
  const account = secret.metadata.annotations?.['kubernetes.io/service-account.name'];
  if (secret.type !== 'kubernetes.io/service-account-token' || account === undefined) return 'others';
  const found = all.find(({ kind, metadata }) => kind === 'ServiceAccount' && metadata.name === account);
  if (account === 'default') return 'kubernetes';
  return found && isOurs(found) ? 'ours' : 'others';
}
