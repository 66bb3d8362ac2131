import { mapConcurrently } from '../runtime/map-concurrently.ts';
import type { ObjectsApi } from './objects-api.ts';

/** One thing that somebody may do or not. */
export interface Permission {
  verb: string;
  group: string;
  resource: string;
  namespace?: string;
}

interface Review {
  status?: { allowed?: boolean };
}

const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
const atOnce = 8;

/** Throws if the caller does not have all of the permissions, with those that are missing. */
export async function requirePermissions(api: ObjectsApi, needed: readonly Permission[]): Promise<void> {
  const lacking = await lackingPermissions(api, needed);
  if (lacking.length === 0) return;
  const lines = [...Map.groupBy(lacking, titleOfKind)].map(([kind, all]) => {
    return `\n- ${kind}: ${all.map(({ verb }) => verb).join(', ')}`;
  });
  throw new Error(
    `nothing was changed: you lack the following permissions, which a cluster administrator has:${lines.join('')}`,
  );
}

/** Those of the permissions that the caller does not have. */
async function lackingPermissions(api: ObjectsApi, needed: readonly Permission[]): Promise<Permission[]> {
  const titled = needed.map((each): [string, Permission] => [`${each.verb} ${titleOfKind(each)}`, each]);
  const each = [...new Map(titled).values()];
  const allowed = await mapConcurrently(each, atOnce, (permission) => isAllowed(api, permission));
  return each.filter((_, index) => !allowed[index]);
}

async function isAllowed(api: ObjectsApi, permission: Permission): Promise<boolean> {
  const body = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    spec: { resourceAttributes: permission },
  };
  return (await api.create<Review>(path, body)).status?.allowed === true;
}

/** `clusterroles.rbac.authorization.k8s.io`, with the namespace where there is one. */
function titleOfKind({ group, resource, namespace }: Permission): string {
  const kind = group === '' ? resource : `${resource}.${group}`;
  return namespace === undefined ? kind : `${kind} in ${namespace}`;
}
