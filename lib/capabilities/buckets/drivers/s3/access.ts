import type {
  BucketLocation,
  GrantAccessOutcome,
  GrantAccessRequest,
  Parameters,
  RevokeAccessOutcome,
  RevokeAccessRequest,
} from '../driver.ts';
import { ensureKey } from './access-keys.ts';
import { fail, StoreError } from './errors.ts';
import { refuseUnmarked, requireRegion, tagsOf } from './owned-bucket.ts';
import { trustPolicy } from './policies.ts';
import { ensurePrincipal, removePrincipal } from './principal.ts';
import { arnOfRole, rolesOf } from './roles.ts';
import { locationOf } from './settings.ts';
import type { Store } from './store.ts';
import { clusterKey, deploymentKey, isMarkedAsMade, otherClusterIn, otherDeploymentIn } from './tags.ts';
import { usersOf } from './users.ts';

export async function grantAccess(
  store: Store,
  request: GrantAccessRequest,
  identity: string | undefined,
): Promise<GrantAccessOutcome> {
  const { flow, bucket, parameters } = request;
  // Our own bucket was made by the call before.
  if (flow === 'Brownfield') {
    await requireRegion(store, bucket);
    await requireNobodyElses(store, request, identity);
  }
  const credentials =
    parameters.credentials === 'role'
      ? await grantRole(store, request, identity)
      : await grantUser(store, request, identity);
  return granted(locationOf(bucket, store.settings), credentials, request.held);
}

/**
 * A bucket that was made for one cluster is not another's to hand out, whatever a class there says; nor is another
 * deployment's. One with a cluster's tag alone was made before deployments were told apart, and may be anybody's.
 */
export async function requireNobodyElses(
  store: Store,
  { bucket, cluster }: Pick<GrantAccessRequest, 'bucket' | 'cluster'>,
  identity: string | undefined,
): Promise<void> {
  const tags = await tagsOf(store, bucket).catch((error: unknown) => {
    // Whoever may not look at the tags of a bucket, or asks a store without any, has not made it.
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

/** The address of all services is left out: the application asks another service than S3 for the role. */
async function grantRole(store: Store, request: GrantAccessRequest, identity?: string): Promise<Parameters> {
  const trust = trustPolicy(request.requester.namespace, request.parameters);
  const name = await ensurePrincipal(rolesOf(store, trust), store, request, identity);
  const { AWS_ENDPOINT_URL: _, ...environment } = environmentOf(locationOf(request.bucket, store.settings));
  return { AWS_ROLE_ARN: await arnOfRole(store, name), ...environment };
}

/** What the SDKs of AWS read from their environment. */
export function environmentOf({ region, endpoint }: BucketLocation): Parameters & { AWS_ENDPOINT_URL: string } {
  return {
    AWS_DEFAULT_REGION: region,
    AWS_REGION: region,
    AWS_ENDPOINT_URL_S3: endpoint,
    AWS_ENDPOINT_URL: endpoint,
  };
}

/** Says the credentials only where what is held differs from them, in whatever entry. */
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
