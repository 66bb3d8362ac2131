import type { ExpectedResource, FindOwnedOutcome, FindOwnedRequest, MissingResource } from '../sweepable-driver.ts';
import { mapInBatches, retryRead } from './batched-reads.ts';
import { StoreError } from './errors.ts';
import { bucketsAmong, headBucket, listBuckets } from './find-buckets.ts';
import { findPrincipals } from './find-principals.ts';
import { principalName, principalPath } from './principal-names.ts';
import { rolesOf } from './roles.ts';
import type { Store } from './store.ts';
import { usersOf } from './users.ts';

/**
 * Resources that are missing from lists are read by name: IAM's lists are some seconds late, and none contains the
 * buckets of other accounts.
 */
export async function findBuckets(
  store: Store,
  request: FindOwnedRequest,
  identity: string | undefined,
): Promise<FindOwnedOutcome> {
  const listed = await listBuckets(store, request);
  const items = await bucketsAmong(store, listed, request, identity);
  const names = new Set(listed.map(({ name }) => name));
  const unseen = request.expected.filter(({ bucket }) => !names.has(bucket));
  const absent = await mapInBatches(unseen, async ({ owner, bucket }): Promise<MissingResource[]> => {
    return (await isThere(store, bucket)) ? [] : [{ owner, what: 'bucket' }];
  });
  return { result: 'found', items, lacking: absent.flat() };
}

export async function findOwned(
  store: Store,
  request: FindOwnedRequest,
  identity: string | undefined,
): Promise<FindOwnedOutcome> {
  const buckets = await findBuckets(store, request, identity);
  if (buckets.result !== 'found') return buckets;
  const path = principalPath(identity);
  const users = await findPrincipals(usersOf(store), path, request, identity);
  const roles = await findPrincipals(rolesOf(store, ''), path, request, identity);
  const principals = [...users, ...roles];
  const names = new Set(principals.map(({ kind, name }) => `${kind}/${name}`));
  const absent = await mapInBatches(request.expected, async (expected): Promise<MissingResource[]> => {
    const { kind, find } = expectedPrincipal(store, expected);
    const name = principalName(expected.owner);
    if (names.has(`${kind}/${name}`) || (await isPrincipalThere(() => find(name)))) return [];
    return [{ owner: expected.owner, what: 'credentials' }];
  });
  return { ...buckets, items: [...buckets.items, ...principals], lacking: [...buckets.lacking, ...absent.flat()] };
}

function expectedPrincipal(store: Store, { parameters }: ExpectedResource) {
  return parameters.credentials === 'role' ? rolesOf(store, '') : usersOf(store);
}

/**
 * A principal that we may not read may be another deployment's, below its own path: that must not prevent the reading
 * of all others.
 */
async function isPrincipalThere(find: () => Promise<unknown>): Promise<boolean> {
  try {
    return (await retryRead(find)) !== undefined;
  } catch (error) {
    if (error instanceof StoreError && error.failure.result === 'denied') return true;
    throw error;
  }
}

/** A bucket that denies us access, or that is in another region, exists. */
async function isThere(store: Store, bucket: string): Promise<boolean> {
  try {
    await retryRead(() => headBucket(store, bucket));
    return true;
  } catch (error) {
    if (!(error instanceof StoreError) || error.failure.result === 'unavailable') throw error;
    return error.failure.result !== 'missing';
  }
}
