import type { ClusterObject } from '../../lib/kubernetes/objects.ts';
import type { ClusterClient } from '../support/cluster-client.ts';
import { until } from '../support/patience.ts';

interface Binding extends ClusterObject {
  roleRef: object;
  subjects: object[];
}

interface Review extends ClusterObject {
  spec: object;
  status?: { allowed?: boolean };
}

const rbac = 'rbac.authorization.k8s.io/v1';

/** Does work while a function has no right in the cluster at all, as when its role was taken away by mistake. */
export async function withoutRights<T>(
  client: ClusterClient,
  functionName: string,
  work: () => Promise<T>,
): Promise<T> {
  const name = `longshore-${functionName}`;
  const binding = await client.get<Binding>({
    apiVersion: rbac,
    kind: 'ClusterRoleBinding',
    metadata: { name },
  } as Binding);
  if (!binding) throw new Error(`there is no ClusterRoleBinding ${name}`);
  const { apiVersion = rbac, kind = 'ClusterRoleBinding', roleRef, subjects } = binding;
  await client.delete({ apiVersion, kind, metadata: { name } });
  try {
    await allowed(client, functionName, false);
    return await work();
  } finally {
    await client.create({ apiVersion, kind, metadata: { name }, roleRef, subjects });
  }
}

/** The server takes a moment to see what has changed. */
export async function allowed(client: ClusterClient, functionName: string, expected: boolean): Promise<void> {
  await until(`${functionName} is ${expected ? '' : 'not '}allowed to read`, async () => {
    const { status } = await client.create<Review>(reviewOf(functionName));
    return status?.allowed === expected;
  });
}

function reviewOf(functionName: string): Review {
  return {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SubjectAccessReview',
    metadata: { name: '' },
    spec: {
      user: `system:serviceaccount:longshore-system:${functionName}`,
      resourceAttributes: {
        group: 'transfer.storage.k8s.io',
        resource: 'storagetransferapprovals',
        verb: 'get',
        namespace: 'default',
      },
    },
  };
}
