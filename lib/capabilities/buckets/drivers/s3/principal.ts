import type { GrantAccessRequest, RevokeAccessRequest } from '../driver.ts';
import type { OwnedKey } from '../sweepable-driver.ts';
import { refusalCode } from './call.ts';
import { fail, StoreError } from './errors.ts';
import { accessPolicy } from './policies.ts';
import { pathOfAll, principalName, principalPath } from './principal-names.ts';
import type { Store } from './store.ts';
import { type Actor, deploymentKey, type FoundTag, ownerIn, refuseOthers, type Tag, tagsFor } from './tags.ts';

/** IAM users and roles differ in the names of their calls, and in having keys or not; the rest is the same. */
export interface Principals {
  kind: 'user' | 'role';
  /** The attachments that people add by hand, and that prevent deletion. */
  attachments: string;
  create(spec: PrincipalSpec): Promise<unknown>;
  /** Undefined if it is gone. */
  find(name: string): Promise<FoundPrincipal | undefined>;
  /** One page of the principals below a path. */
  list(path: string, marker: string | undefined): Promise<PrincipalPage>;
  putPolicy(name: string, policy: string, document: string): Promise<unknown>;
  listPolicies(name: string): Promise<string[]>;
  deletePolicy(name: string, policy: string): Promise<unknown>;
  listKeys(name: string): Promise<OwnedKey[]>;
  /** Other resources that must be deleted before the principal can be. */
  deleteKeys(name: string): Promise<void>;
  delete(name: string): Promise<unknown>;
}

export interface FoundPrincipal {
  tags: FoundTag[];
  path: string | undefined;
}

export interface PrincipalPage {
  found: { name: string; madeAt: number | undefined }[];
  /** The marker of the next page, if there is one. */
  next: string | undefined;
}

export interface PrincipalSpec {
  name: string;
  path: string;
  tags: Tag[];
  boundary: string | undefined;
}

const policyName = 'access';

/** Ensures that the consumer's principal exists and has the permissions of the mode. */
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
  // Only the boundary is named in the call and could be missing.
  if (refused === 'NoSuchEntity')
    throw fail('denied', `The permissionsBoundary ${spec.boundary} does not exist: create it`);
  const found = await principals.find(spec.name);
  if (!found) throw fail('unavailable', `IAM does not show the principal ${spec.name} yet`);
  refuseOtherActors(principals, spec.name, found, request);
  if (ownerIn(found.tags) === request.owner) return;
  throw fail('taken', `IAM has a principal ${spec.name} that does not belong to this owner: it was left unchanged`);
}

/**
 * Keys first: without them no one can act as this principal, whatever happens next. One with another owner's tag never
 * belonged to this owner. One that has lost its tag still has the owner's uid in its name, and its keys must not
 * remain. Returns true if there was one.
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

/** Without a tag the path shows the owner: below another deployment's, nothing is ours. */
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
