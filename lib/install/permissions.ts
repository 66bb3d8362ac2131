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

/** Those of the permissions that the caller does not have. */
export async function lackingPermissions(api: ObjectsApi, needed: readonly Permission[]): Promise<Permission[]> {
  const each = [...new Map(needed.map((permission) => [titleOfPermission(permission), permission])).values()];
  const allowed = await mapConcurrently(each, atOnce, (permission) => isAllowed(api, permission));
  return each.filter((_, index) => !allowed[index]);
}

export async function isAllowed(api: ObjectsApi, permission: Permission): Promise<boolean> {
  const body = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    spec: { resourceAttributes: permission },
  };
  return (await api.create<Review>(path, body)).status?.allowed === true;
}

/** `create clusterroles.rbac.authorization.k8s.io`, with the namespace where there is one. */
export function titleOfPermission({ verb, group, resource, namespace }: Permission): string {
  const kind = group === '' ? resource : `${resource}.${group}`;
  return `${verb} ${kind}${namespace === undefined ? '' : ` in ${namespace}`}`;
}
