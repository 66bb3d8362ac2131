import type {
  BucketLocation,
  GrantAccessOutcome,
  GrantAccessRequest,
  Parameters,
  RevokeAccessOutcome,
  RevokeAccessRequest,
} from '../driver.ts';
import { ensureKey } from './access-keys.ts';
import { locationOf } from './connection-settings.ts';
import { fail, StoreError } from './errors.ts';
import { refuseUnmarked, requireRegion, tagsOf } from './owned-bucket.ts';
import { trustPolicy } from './policies.ts';
import { ensurePrincipal, removePrincipal } from './principal.ts';
import { arnOfRole, rolesOf } from './roles.ts';
import type { Store } from './store.ts';
import { clusterKey, deploymentKey, isMarkedAsMade, otherClusterIn, otherDeploymentIn } from './tags.ts';
import { usersOf } from './users.ts';

export async function grantAccess(
  store: Store,
  request: GrantAccessRequest,
  identity: string | undefined,
): Promise<GrantAccessOutcome> {
  const { flow, bucket, parameters } = request;
  // In the other flow the previous call created the bucket.
  if (flow === 'Brownfield') {
    await requireRegion(store, bucket);
    await requireNotOwnedByOthers(store, request, identity);
  }
  const credentials =
    parameters.credentials === 'role'
      ? await grantRole(store, request, identity)
      : await grantUser(store, request, identity);
  return granted(locationOf(bucket, store.settings), credentials, request.held);
}

/**
 * A bucket that was created for one cluster must not be handed out by another, whatever a class there says; nor by another
 * deployment. A bucket with only a cluster's tag was created before deployments were tagged, and may belong to any.
 */
export async function requireNotOwnedByOthers(
  store: Store,
  { bucket, cluster }: Pick<GrantAccessRequest, 'bucket' | 'cluster'>,
  identity: string | undefined,
): Promise<void> {
  const tags = await tagsOf(store, bucket).catch((error: unknown) => {
    // Without permission to read a bucket's tags, or in a store without tags, this driver has not created it.
    if (error instanceof StoreError && error.failure.result !== 'unavailable') return [];
    throw error;
  });
  const others = [
    { what: 'cluster', found: otherClusterIn(tags, cluster), key: clusterKey },
    { what: 'deployment', found: otherDeploymentIn(tags, identity), key: deploymentKey },
  ].filter(({ found }) => found !== undefined);
  const said = others.map(({ what, found, key }) => `of the ${what} ${found}, by its tag ${key}`).join(', and ');
  const sharing = `to share the bucket, remove its tags ${clusterKey} and ${deploymentKey}`;
  if (said)
    throw fail(
      'taken',
      `The bucket ${bucket} was created for a Bucket ${said}: create the class there, or, ${sharing}`,
    );
  if (isMarkedAsMade(tags)) refuseUnmarked(bucket, tags, { cluster, identity });
}

async function grantUser(store: Store, request: GrantAccessRequest, identity?: string): Promise<Parameters> {
  const name = await ensurePrincipal(usersOf(store), store, request, identity);
  const keys = await ensureKey(store, name, request.held);
  return { ...keys, ...environmentOf(locationOf(request.bucket, store.settings)) };
}

/** Without the endpoint for all services: the application assumes the role at another service than S3. */
async function grantRole(store: Store, request: GrantAccessRequest, identity?: string): Promise<Parameters> {
  const trust = trustPolicy(request.requester.namespace, request.parameters);
  const name = await ensurePrincipal(rolesOf(store, trust), store, request, identity);
  const { AWS_ENDPOINT_URL: _, ...environment } = environmentOf(locationOf(request.bucket, store.settings));
  return { AWS_ROLE_ARN: await arnOfRole(store, name), ...environment };
}

/** The environment variables of the AWS SDKs. */
export function environmentOf({ region, endpoint }: BucketLocation): Parameters & { AWS_ENDPOINT_URL: string } {
  return {
    AWS_DEFAULT_REGION: region,
    AWS_REGION: region,
    AWS_ENDPOINT_URL_S3: endpoint,
    AWS_ENDPOINT_URL: endpoint,
  };
}

/** Returns the credentials only if any held entry differs. */
export function granted(location: BucketLocation, credentials: Parameters, held: Parameters): GrantAccessOutcome {
  const isHeld = Object.entries(credentials).every(([name, value]) => held[name] === value);
  return { result: 'granted', location, credentials: isHeld ? undefined : credentials };
}

export async function revokeAccess(
  store: Store,
  request: RevokeAccessRequest,
  identity: string | undefined,
): Promise<RevokeAccessOutcome> {
  const isRole = request.parameters.credentials === 'role';
  const found = await removePrincipal(isRole ? rolesOf(store, '') : usersOf(store), request, identity);
  return { result: 'revoked', found };
}
