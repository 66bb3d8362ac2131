import { DeleteBucketCommand } from '@aws-sdk/client-s3';
import type { RemovableResource, RemoveOwnedOutcome } from '../sweepable-driver.ts';
import { deleteKey } from './access-keys.ts';
import { refusalCode } from './call.ts';
import { StoreError } from './errors.ts';
import { isEmpty, tagsOf } from './owned-bucket.ts';
import { deletePrincipal, type Principals } from './principal.ts';
import { ownerNamedIn, principalPath } from './principal-names.ts';
import { rolesOf } from './roles.ts';
import type { Store } from './store.ts';
import { belongsToAnotherDeployment, ownerIn } from './tags.ts';
import { usersOf } from './users.ts';

/** Reads a found resource once more, because another one may have its name by now. */
export async function removeOwned(
  store: Store,
  item: RemovableResource,
  identity: string | undefined,
): Promise<RemoveOwnedOutcome> {
  if (item.kind === 'bucket') return removeBucket(store, item, identity);
  const principals = item.kind === 'role' ? rolesOf(store, '') : usersOf(store);
  const name = item.kind === 'key' ? item.user : item.name;
  const state = await stateOf(principals, name, item.owner, identity);
  if (state === 'gone') return { result: 'removed' };
  if (state === 'foreign') return refused(`The ${principals.kind} ${name} is no longer what was found`);
  if (item.kind === 'key') await deleteKey(store, name, item.name);
  else await deletePrincipal(principals, name);
  return { result: 'removed' };
}

async function stateOf(principals: Principals, name: string, owner: string, identity: string | undefined) {
  const found = await principals.find(name);
  if (!found) return 'gone';
  if (found.path !== principalPath(identity) || belongsToAnotherDeployment(found.tags, identity)) return 'foreign';
  return (ownerIn(found.tags) ?? ownerNamedIn(name)) === owner ? 'ours' : 'foreign';
}

export async function removeBucket(
  store: Store,
  { name, owner }: Pick<RemovableResource, 'name' | 'owner'>,
  identity: string | undefined,
): Promise<RemoveOwnedOutcome> {
  const tags = await tagsIfThere(store, name);
  if (!tags) return { result: 'removed' };
  if (ownerIn(tags) !== owner || belongsToAnotherDeployment(tags, identity)) {
    return refused(`The bucket ${name} is no longer what was found`);
  }
  const occupied = refused(
    `The bucket ${name} is not empty (old versions and unfinished uploads count too), so it is kept`,
  );
  if (!(await isEmpty(store, name))) return occupied;
  const command = new DeleteBucketCommand({ Bucket: name });
  const deleting = store.call('s3:DeleteBucket', (options) => store.s3.send(command, options));
  // Someone may have added an object meanwhile.
  return (await refusalCode(['NoSuchBucket', 'BucketNotEmpty'], deleting)) === 'BucketNotEmpty'
    ? occupied
    : { result: 'removed' };
}

async function tagsIfThere(store: Store, bucket: string) {
  try {
    return await tagsOf(store, bucket);
  } catch (error) {
    if (error instanceof StoreError && error.failure.result === 'missing') return undefined;
    throw error;
  }
}

function refused(message: string): RemoveOwnedOutcome {
  return { result: 'refused', message };
}
