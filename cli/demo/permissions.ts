import type { Resource } from '../../lib/kubernetes/resource.ts';
import { groupOf, resources } from '../../lib/kubernetes/resources.ts';
import { deniedOf } from '../check/permissions.ts';
import type { ClusterApi } from '../connect/cluster-api.ts';

export type Part = 'move' | 'hand-over' | 'snapshot' | 'bucket';

const whole = ['get', 'list', 'create', 'delete'];
type Needed = readonly (readonly [resource: Resource, verbs: readonly string[]])[];

/** What a user needs who does everything by hand: in the namespaces of the demo, and for making them. */
const needed: Record<'always' | 'snapshot' | 'bucket', Needed> = {
  always: [
    [resources.namespace, whole],
    [resources.claim, [...whole, 'patch']],
    [resources.transferRequest, whole],
    [resources.transferApproval, whole],
  ],
  snapshot: [
    [resources.snapshot, whole],
    [resources.snapshotLink, ['get', 'create']],
    [resources.referenceGrant, ['create']],
  ],
  bucket: [[resources.bucket, whole]],
};

/** What the caller lacks, as `create buckets.cosi.io`; the namespace need not exist. */
export async function lackingFor(
  api: ClusterApi,
  what: keyof typeof needed,
  namespace: string,
): Promise<string[] | undefined> {
  const permissions = needed[what].flatMap(([resource, verbs]) =>
    verbs.map((verb) => ({
      verb,
      group: groupOf(resource),
      resource: resource.plural,
      ...(resource.namespaced ? { namespace } : {}),
    })),
  );
  const denied = await deniedOf(api, permissions);
  const byResource = Map.groupBy(denied ?? [], ({ group, resource }) => (group ? `${resource}.${group}` : resource));
  return [...byResource].map(([resource, all]) => `${all.map(({ verb }) => verb).join(', ')} ${resource}`);
}
