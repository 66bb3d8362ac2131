import type { GrantAccessRequest, RevokeAccessRequest } from '../driver.ts';
import type { OwnedKey } from '../sweepable-driver.ts';
import { refusalCode } from './call.ts';
import { fail, StoreError } from './errors.ts';
import { accessPolicy } from './policies.ts';
import { pathOfAll, principalName, principalPath } from './principal-names.ts';
import type { Store } from './store.ts';
import { type Actor, deploymentKey, type FoundTag, ownerIn, refuseOthers, type Tag, tagsFor } from './tags.ts';

/** Users and roles of IAM differ in their calls' names, and in whether there are keys; the rest is the same. */
export interface Principals {
  kind: 'user' | 'role';
  /** What people attach to one by hand, and what keeps it from being deleted. */
  attachments: string;
  create(spec: PrincipalSpec): Promise<unknown>;
  /** Undefined when it is gone. */
  find(name: string): Promise<FoundPrincipal | undefined>;
  /** One page of those below a path. */
  list(path: string, marker: string | undefined): Promise<PrincipalPage>;
  putPolicy(name: string, policy: string, document: string): Promise<unknown>;
  listPolicies(name: string): Promise<string[]>;
  deletePolicy(name: string, policy: string): Promise<unknown>;
  listKeys(name: string): Promise<OwnedKey[]>;
  /** What else there is that must go before the principal can. */
  deleteKeys(name: string): Promise<void>;
  delete(name: string): Promise<unknown>;
}

export interface FoundPrincipal {
  tags: FoundTag[];
  path: string | undefined;
}

export interface PrincipalPage {
  found: { name: string; madeAt: number | undefined }[];
  /** Where the next page begins, if there is one. */
  next: string | undefined;
}

export interface PrincipalSpec {
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
  const spec = {
    name,
    path: principalPath(identity),
    tags: tagsFor(request, identity),
    boundary: parameters.permissionsBoundary,
  };
  await make(principals, spec, { ...request, identity });
  await principals.putPolicy(name, policyName, accessPolicy(mode, bucket, store.settings.region, parameters));
  return name;
}

async function make(principals: Principals, spec: PrincipalSpec, request: GrantAccessRequest & Actor): Promise<void> {
  const refused = await refusalCode(['EntityAlreadyExists', 'NoSuchEntity'], principals.create(spec));
  if (refused === undefined) return;
  // Nothing but the boundary is named that could be missing.
  if (refused === 'NoSuchEntity')
    throw fail('denied', `The permissionsBoundary ${spec.boundary} does not exist: create it`);
  const found = await principals.find(spec.name);
  if (!found) throw fail('unavailable', `IAM does not show the principal ${spec.name} yet`);
  refuseOtherActors(principals, spec.name, found, request);
  if (ownerIn(found.tags) === request.owner) return;
  throw fail('taken', `IAM has a principal ${spec.name} that does not belong to this owner: it was left unchanged`);
}

/**
 * Keys first: without them nobody acts as this principal any more, whatever happens next. One with another's tag never had
 * anything of this owner's. One that has lost its tag is still called by the owner's uid, and its keys must not live on.
 * Says whether there was one.
 */
export async function removePrincipal(
  principals: Principals,
  { owner, cluster }: RevokeAccessRequest,
  identity: string | undefined,
): Promise<boolean> {
  const name = principalName(owner);
  const found = await principals.find(name);
  if (!found) return false;
  refuseOtherActors(principals, name, found, { cluster, identity });
  if ((ownerIn(found.tags) ?? owner) !== owner) return false;
  await deletePrincipal(principals, name);
  return true;
}

/** Without a tag the path says whose it is: below another deployment's there is nothing of ours. */
function refuseOtherActors(
  { kind }: Principals,
  name: string,
  { tags, path = '' }: FoundPrincipal,
  actor: Actor,
): void {
  const what = `The ${kind} ${name}`;
  refuseOthers(what, tags, actor);
  const isMarked = tags.some(({ Key }) => Key === deploymentKey);
  if (isMarked || !path.startsWith(pathOfAll) || path === principalPath(actor.identity)) return;
  const said = `${what} is below the path ${path}, which does not belong to this deployment: it was left unchanged`;
  throw fail('taken', `${said}. If it has been handed over, add the tag ${deploymentKey}=${actor.identity}`);
}

export async function deletePrincipal(principals: Principals, name: string): Promise<void> {
  await principals.deleteKeys(name);
  for (const policy of await principals.listPolicies(name)) await principals.deletePolicy(name, policy);
  try {
    await principals.delete(name);
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'DeleteConflict') throw error;
    throw fail('unavailable', `${conflict(principals, name)} (${error.message})`);
  }
}

function conflict({ kind, attachments }: Principals, name: string): string {
  const what = `IAM does not delete the ${kind} ${name}, because something is still attached to it`;
  return `${what}: detach its ${attachments}; the deletion will be retried`;
}
