import type { Memory } from '../../../../runtime/memory/budget.ts';
import type { FindOwnedRequest, OwnedResource } from '../sweepable-driver.ts';
import { mapInBatches, retryRead } from './batched-reads.ts';
import { copyKept, pagesOfStore } from './pages.ts';
import type { Principals } from './principal.ts';
import { isNamedAfterOwner, ownerNamedIn } from './principal-names.ts';
import { areTooLong, belongsToAnotherDeployment, clusterIn, ownerIn } from './tags.ts';

/** IAM allows a user two keys, with ids of up to 128 characters. */
const maxKeys = 20;
const maxKeyIdLength = 128;

/** The principals below the deployment's path whose names have the form of its own. */
export async function findPrincipals(
  principals: Principals,
  path: string,
  { clusters, memory }: FindOwnedRequest,
  identity: string | undefined,
): Promise<OwnedResource[]> {
  const listed = await listAll(principals, path, memory);
  const found = await mapInBatches(listed, async ({ name, madeAt }): Promise<OwnedResource[]> => {
    // Lists have no tags.
    const one = await retryRead(() => principals.find(name));
    if (!one || belongsToAnotherDeployment(one.tags, identity) || areTooLong(one.tags)) return [];
    const owner = ownerIn(one.tags) ?? ownerNamedIn(name);
    const listed = await retryRead(() => principals.listKeys(name));
    const keys = listed.filter(({ id }) => id.length <= maxKeyIdLength).slice(0, maxKeys);
    const { kind } = principals;
    return copyKept([{ kind, name, owner, cluster: clusterIn(one.tags, clusters), madeAt, keys }], memory);
  });
  return found.flat();
}

async function listAll(principals: Principals, path: string, memory: Memory | undefined) {
  const found: { name: string; madeAt: number | undefined }[] = [];
  const readPage = (from: string | undefined) => principals.list(path, from);
  for await (const page of pagesOfStore(`iam:List of each ${principals.kind}`, readPage, ({ next }) => next)) {
    const kept = page.found.filter(({ name }) => isNamedAfterOwner(name));
    found.push(...(await copyKept(kept, memory)));
  }
  return found;
}
