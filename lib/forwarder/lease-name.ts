import type { Resource } from '../kubernetes/resource.ts';
import { isLegalName } from '../kubernetes/resources.ts';

export const leaseNamespace = 'longshore-system';
export const leaseResource: Resource = {
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  plural: 'leases',
  namespaced: true,
};

/** Throws if a deployment's name cannot be part of a lease's name. */
export function leaseNameFor(identity: string): string {
  const name = `forward.${identity}`;
  if (identity !== '' && isLegalName(name)) return name;
  const example = 'longshore-production.123456789012.eu-central-1';
  throw new Error(
    `LONGSHORE_IDENTITY must be lower-case letters, digits, "-" and ".", such as ${example}, because it names the lease in the cluster; but it is ${JSON.stringify(identity)}`,
  );
}
