import type { GrantAccessRequest, RevokeAccessRequest } from '../driver.ts';
import { refusal } from './call.ts';
import { fail } from './errors.ts';
import { principalName, principalPath } from './owner.ts';
import { accessPolicy } from './policies.ts';
import type { Store } from './store.ts';
import { type FoundTag, ownerIn, type Tag, tagsFor } from './tags.ts';

/** Users and roles of IAM differ in their calls' names, and in whether there are keys; the rest is the same. */
export interface Principals {
  create(wish: PrincipalWish): Promise<unknown>;
  /** Undefined when it is gone. */
  find(name: string): Promise<{ tags: FoundTag[] } | undefined>;
  putPolicy(name: string, policy: string, document: string): Promise<unknown>;
  listPolicies(name: string): Promise<string[]>;
  deletePolicy(name: string, policy: string): Promise<unknown>;
  /** What else there is that must go before the principal can. */
  deleteKeys(name: string): Promise<void>;
  delete(name: string): Promise<unknown>;
}

export interface PrincipalWish {
  name: string;
  path: string;
  tags: Tag[];
  boundary: string | undefined;
}

const policyName = 'access';

/** Makes sure that the consumer's principal is there and may do what the mode says. */
export async function ensurePrincipal(
  principals: Principals,
  store: Store,
  request: GrantAccessRequest,
  identity: string | undefined,
): Promise<string> {
  const { owner, mode, bucket, parameters } = request;
  const name = principalName(owner);
  const wish = {
    name,
    path: principalPath(identity),
    tags: tagsFor(request),
    boundary: parameters.permissionsBoundary,
  };
  await make(principals, wish, owner);
  await principals.putPolicy(name, policyName, accessPolicy(mode, bucket, store.settings.region, parameters));
  return name;
}

async function make(principals: Principals, wish: PrincipalWish, owner: string): Promise<void> {
  const refused = await refusal(['EntityAlreadyExists', 'NoSuchEntity'], principals.create(wish));
  if (refused === undefined) return;
  // Nothing but the boundary is named that could be missing.
  if (refused === 'NoSuchEntity')
    throw fail('denied', `The permissionsBoundary ${wish.boundary} is not there: make it`);
  const found = await principals.find(wish.name);
  if (!found) throw fail('unavailable', `IAM does not show the principal ${wish.name} yet`);
  if (ownerIn(found.tags) === owner) return;
  throw fail('taken', `IAM has a principal ${wish.name} that is not this owner's: it was left as it is`);
}

/**
 * Keys first: without them nobody acts as this principal any more, whatever happens next. One with another's tag never had
 * anything of this owner's. One that has lost its tag is still called by the owner's uid, and its keys must not live on.
 */
export async function removePrincipal(principals: Principals, { owner }: RevokeAccessRequest): Promise<void> {
  const name = principalName(owner);
  const found = await principals.find(name);
  if (!found || (ownerIn(found.tags) ?? owner) !== owner) return;
  await principals.deleteKeys(name);
  for (const policy of await principals.listPolicies(name)) await principals.deletePolicy(name, policy);
  await principals.delete(name);
}
