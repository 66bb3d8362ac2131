import type { BucketContent } from '../../../../../../lib/capabilities/buckets/objects.ts';
import type { ProvisioningWorld } from '../../../../../../lib/capabilities/buckets/steps/provision-bucket/world.ts';
import * as stage from '../../bucket-stages.ts';

type Flow = BucketContent['spec']['flow'];

export const worker = 'worker-1';
export const base: ProvisioningWorld = {
  cluster: 'main',
  identity: 'deployment-1',
  worker,
  problems: [],
  registration: stage.registration(),
  bucket: stage.bucket(),
};

/** As it stands while a content is wanted. */
export const wanted = (status?: BucketContent['status'], flow: Flow = 'Greenfield'): ProvisioningWorld => ({
  ...base,
  content: stage.content({ spec: { flow }, status }),
});
/** With the right to call the store. */
export const atWork = (flow: Flow = 'Greenfield'): ProvisioningWorld => ({
  ...base,
  content: stage.leased({ spec: { flow } }),
});

const goingBucket = stage.bucket(stage.deleting);
/** As it stands while a content is to go with its Bucket. */
export const going = (
  status: BucketContent['status'],
  spec: Partial<BucketContent['spec']> = {},
): ProvisioningWorld => ({
  ...base,
  bucket: goingBucket,
  content: stage.content({
    ...stage.deleting,
    spec,
    status: { phase: 'Bound', startedAt: stage.startedAt, ...status },
  }),
});
export const goingAtWork = (spec: Partial<BucketContent['spec']> = {}) => going({ lease: stage.lease(60) }, spec);

export const created = { result: 'created' } as const;
export const revoked = { result: 'revoked', found: true } as const;
export const location = {
  protocol: 's3',
  bucket: stage.storeName,
  region: 'eu-central-1',
  endpoint: 'https://s3.example.com',
};
export const credentials = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'hush' };
export const granted = { result: 'granted', location, credentials } as const;

/** Each way in which a driver may fail: what the content says, whether it is tried again. */
export const failures = [
  ['invalid', 'Invalid', 'Failed', 'reject'],
  ['taken', 'NameTaken', 'Failed', 'reject'],
  ['missing', 'NotFound', 'Failed', 'reject'],
  ['denied', 'AccessDenied', 'Retrying', 'retry'],
  ['unavailable', 'StoreUnavailable', 'Retrying', 'retry'],
] as const;
