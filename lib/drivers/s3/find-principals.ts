import type { Owned } from '../owned.ts';
import { atOnce, patiently } from './at-once.ts';
import { isNamedAfterOwner, ownerNamedIn } from './owner.ts';
import type { Principals } from './principal.ts';
import { clusterIn, isAnotherDeployments, ownerIn } from './tags.ts';

/** What is below the deployment's path and called as it calls its own. */
export async function findPrincipals(
  principals: Principals,
  path: string,
  clusters: readonly string[],
  identity: string | undefined,
): Promise<Owned[]> {
  const listed = await listAll(principals, path);
  const candidates = listed.filter(({ name }) => isNamedAfterOwner(name));
  const found = await atOnce(candidates, async ({ name, madeAt }): Promise<Owned[]> => {
    // Lists have no tags.
    const one = await patiently(() => principals.find(name));
    if (!one || isAnotherDeployments(one.tags, identity)) return [];
    const owner = ownerIn(one.tags) ?? ownerNamedIn(name);
    const keys = await patiently(() => principals.listKeys(name));
    const { kind } = principals;
    return [{ kind, name, owner, cluster: clusterIn(one.tags, clusters), madeAt, keys }];
  });
  return found.flat();
}

async function listAll(principals: Principals, path: string) {
  const found: { name: string; madeAt: number | undefined }[] = [];
  let marker: string | undefined;
  do {
    const from = marker;
    const page = await patiently(() => principals.list(path, from));
    found.push(...page.found);
    marker = page.next;
  } while (marker);
  return found;
}
