import type { GrantAccessOutcome, GrantAccessRequest } from '../driver.ts';
import { environmentOf, granted, requireNotOwnedByOthers } from '../s3/access.ts';
import { type Connect, locationOf } from '../s3/connection-settings.ts';
import { createBucket } from '../s3/create-bucket.ts';
import { deleteBucket } from '../s3/delete-bucket.ts';
import { fail, invalid } from '../s3/errors.ts';
import { findBuckets } from '../s3/find-owned.ts';
import { requireRegion } from '../s3/owned-bucket.ts';
import { removeBucket } from '../s3/remove-owned.ts';
import { inStoreOf, type S3DriverOptions } from '../s3/s3-driver.ts';
import type { Store } from '../s3/store.ts';
import type { RemovableResource, RemoveOwnedOutcome, SweepableDriver } from '../sweepable-driver.ts';
import { sharedKeysRules } from './shared-keys-rules.ts';

/**
 * Buckets of a store that has no users of its own: every consumer gets the same keys, which an administrator has
 * created.
 */
export function createSharedKeysDriver(name: string, connect: Connect, options: S3DriverOptions = {}): SweepableDriver {
  const { identity, clock = Date.now } = options;
  const rules = sharedKeysRules(name, options);
  const { check } = rules;
  const inStore = inStoreOf({ connect, defaults: options, clock });
  return {
    ...rules,
    createBucket: (request) =>
      inStore(request, (store) => createBucket(store, request, identity), check(request.parameters, 'Greenfield')),
    deleteBucket: (request) => inStore(request, (store) => deleteBucket(store, request, identity)),
    grantBucketAccess: (request) =>
      inStore(request, (store) => share(store, request, identity), check(request.parameters, request.flow)),
    // The keys are shared with other consumers, so they stay valid; and nothing was created that the store might not
    // show yet.
    revokeBucketAccess: async () => ({ result: 'revoked', found: true }),
    findOwned: (request) => inStore(request, (store) => findBuckets(store, request, identity)),
    removeOwned: ({ item, ...about }) => inStore(about, (store) => removeBucketOnly(store, item, identity)),
  };
}

/** No other kind is ever found in such a store. */
async function removeBucketOnly(store: Store, item: RemovableResource, identity?: string): Promise<RemoveOwnedOutcome> {
  if (item.kind === 'bucket') return removeBucket(store, item, identity);
  return { result: 'refused', message: `A store without its own users has no ${item.kind} ${item.name}` };
}

async function share(store: Store, request: GrantAccessRequest, identity?: string): Promise<GrantAccessOutcome> {
  const { mode, flow, bucket, secrets, parameters, held } = request;
  if (mode !== 'rw') {
    throw invalid(`The access mode ${mode} cannot be enforced, because all Buckets share the same keys: use rw`);
  }
  const { CONSUMER_ACCESS_KEY_ID, CONSUMER_SECRET_ACCESS_KEY } = secrets;
  if (!CONSUMER_ACCESS_KEY_ID || !CONSUMER_SECRET_ACCESS_KEY) {
    const names = 'CONSUMER_ACCESS_KEY_ID and CONSUMER_SECRET_ACCESS_KEY';
    throw fail('denied', `The Secret ${parameters.driverSecretName} must have ${names}: add them`);
  }
  if (flow === 'Brownfield') {
    await requireRegion(store, bucket);
    await requireNotOwnedByOthers(store, request, identity);
  }
  const location = locationOf(bucket, store.settings);
  const keys = { AWS_ACCESS_KEY_ID: CONSUMER_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY: CONSUMER_SECRET_ACCESS_KEY };
  return granted(location, { ...keys, ...environmentOf(location) }, held);
}
