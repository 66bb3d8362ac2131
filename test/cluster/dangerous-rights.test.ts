import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { administratorsOnly, type Deed, dangers } from '../security/dangers.ts';
import { clusterPermissions } from '../support/cluster-roles.ts';
import { until } from '../support/patience.ts';
import { testClient } from './administrator.ts';
import type { Review } from './role-permissions.ts';

/** Asked of the authorizer of a real API server, so that no wildcard and no aggregated role is overlooked. */

const client = testClient();
const tenants = `tenants-${randomBytes(4).toString('hex')}`;
const functions = [...clusterPermissions().keys()].sort();
const apiGroup = 'rbac.authorization.k8s.io';

async function isAllowed(user: string, asked: Deed, elsewhere: string): Promise<boolean> {
  const { verb, group } = asked;
  const [resource, subresource = ''] = asked.resource.split('/');
  const namespace = asked.namespace === 'elsewhere' ? elsewhere : (asked.namespace ?? '');
  const resourceAttributes = { verb, group, resource, subresource, namespace };
  const review: Review = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SubjectAccessReview',
    metadata: { name: '' },
    spec: { user, groups: ['system:authenticated'], resourceAttributes },
  };
  return (await client.create(review)).status?.allowed === true;
}

describe('with the credentials of a function', () => {
  test.each(dangers)('somebody can $what just where docs/security.md says so', async (danger) => {
    const holders: string[] = [];
    for (const name of functions) {
      if (await isAllowed(`system:serviceaccount:longshore-system:${name}`, danger, 'kube-system')) holders.push(name);
    }
    expect(holders).toEqual(danger.holders);
  });
});

describe('who administers a namespace', () => {
  beforeAll(async () => {
    await client.createNamespace(tenants);
    await client.create({
      apiVersion: `${apiGroup}/v1`,
      kind: 'RoleBinding',
      metadata: { namespace: tenants, name: 'administrator' },
      roleRef: { apiGroup, kind: 'ClusterRole', name: 'admin' },
      subjects: [{ apiGroup, kind: 'User', name: `user-of-${tenants}` }],
    });
    const own = { verb: 'get', group: '', resource: 'secrets', namespace: 'elsewhere' };
    // The authorizer takes up a binding a moment after it is made; before that it would allow nothing at all.
    await until('the role is at work', () => isAllowed(`user-of-${tenants}`, own, tenants));
  });

  test.each(administratorsOnly)('may not $verb $resource', async (right) => {
    expect(await isAllowed(`user-of-${tenants}`, right, tenants)).toBe(false);
  });
});
