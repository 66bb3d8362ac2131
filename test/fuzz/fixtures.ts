import type { Resource } from '../../lib/kubernetes/resource.ts';
import { objectPath, resourceOfKind, resources } from '../../lib/kubernetes/resources.ts';
import {
  bucket,
  bucketClass,
  content,
  data,
  driver,
  ready,
  registration,
  source,
} from '../lib/capabilities/buckets/bucket-stages.ts';
import { accepting, fenced } from '../lib/capabilities/transfers/offer-stages.ts';
import { approval, claim, referenceTo, request, volume } from '../support/builders.ts';
import { linkedClaim } from '../support/builders-of-snapshots.ts';
import type { ServedObject } from './stand-in-api.ts';

export const identity = 'fuzz';
/** A driver of this deployment that nobody has registered yet. */
export const newDriver = 'keys.example.com';
export const drivers = [
  { name: driver, type: 's3', region: 'eu-central-1' },
  { name: newDriver, type: 'shared-keys', endpoint: 'https://127.0.0.1:1' },
];

/** The claim whose owner took back an offer that had been fenced, and its volume. */
const fencedOnly = fenced({ name: 'withdrawn', uid: 'uid-withdrawn', annotations: {} });
const withdrawn = { ...fencedOnly, spec: { ...fencedOnly.spec, volumeName: 'volume-2' } };
const asksForLostSnapshot = {
  dataSource: { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 'lost' },
};

/** The Bucket that an event has asked for before. */
const asked = { 'longshore.dev/requested-by': 'team.billing', 'longshore.dev/requested-from': '111122223333' };

/**
 * One cluster with something to do for each function: whoever hears of these objects writes. So a message that leads to
 * them although it should not is seen by the write.
 */
const objects: ServedObject[] = [
  request(),
  approval({ metadata: { name: 'early' }, spec: { requestName: 'late' } }),
  accepting({ name: 'taker', uid: 'uid-taker', annotations: { transferAccept: 'prod/nothing' } }),
  withdrawn,
  volume({ metadata: { name: 'volume-2' }, spec: { claimRef: referenceTo(withdrawn) } }),
  claim(),
  volume(),
  registration(identity),
  bucketClass(),
  bucket(),
  ready(),
  source(data),
  bucket({ metadata: { name: 'classless', uid: 'uid-classless' }, spec: { bucketClassName: 'none' } }),
  content({ metadata: { name: 'keyless', uid: 'uid-keyless' }, spec: { parameters: { driverSecretName: 'none' } } }),
  bucketClass({ metadata: { name: 'existing', uid: 'uid-existing', resourceVersion: '1' } }),
  bucket({ metadata: { namespace: 'team-a', name: 'former', uid: 'uid-former', annotations: asked } }),
  linkedClaim(),
  claim({
    metadata: { name: 'restored', uid: 'uid-restored' },
    spec: asksForLostSnapshot,
    status: { phase: 'Pending' },
  }),
];

export const fixtures: ReadonlyMap<string, ServedObject> = new Map(objects.map((object) => [pathOf(object), object]));

function pathOf({ apiVersion, kind, metadata }: ServedObject): string {
  const resource = resourceOfKind(apiVersion, kind);
  if (!resource) throw new Error(`there is no kind ${kind}`);
  const { namespace, name } = metadata;
  return objectPath({ resource, name, ...(namespace ? { namespace } : {}) });
}

/** What a function's messages name, and the object of the cluster above that it has something to do for. */
export interface Target {
  resource: Resource;
  namespace?: string;
  name: string;
}

export const targets: Record<string, Target> = {
  'match-transfer': { resource: resources.transferRequest, namespace: 'stage', name: 'move' },
  'match-approval': { resource: resources.transferApproval, namespace: 'prod', name: 'early' },
  'match-claim': { resource: resources.claim, namespace: 'stage', name: 'taker' },
  'rebind-volume': { resource: resources.volume, name: 'volume-2' },
  'register-driver': { resource: resources.registration, name: newDriver },
  'bind-bucket': { resource: resources.bucket, namespace: 'prod', name: 'classless' },
  'provision-bucket': { resource: resources.bucketContent, name: 'keyless' },
  'copy-secret': { resource: resources.bucket, namespace: 'prod', name: 'photos' },
  'populate-claim': { resource: resources.claim, namespace: 'test', name: 'copy' },
  'check-source': { resource: resources.claim, namespace: 'prod', name: 'restored' },
};
