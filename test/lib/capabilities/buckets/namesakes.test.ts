import { expect, test } from '@jest/globals';
import { describeHolders, readNamesakes } from '../../../../lib/capabilities/buckets/namesakes.ts';
import type { BucketContent } from '../../../../lib/capabilities/buckets/objects.ts';
import type { Cluster } from '../../../../lib/kubernetes/cluster.ts';
import { ClusterError } from '../../../../lib/kubernetes/errors.ts';
import * as stage from './bucket-stages.ts';

const guest = (namespace: string, bucketIdentifier = stage.storeName): BucketContent =>
  stage.content({
    metadata: { name: `guest-${namespace}`, uid: `uid-${namespace}` },
    spec: {
      flow: 'Brownfield',
      bucketIdentifier,
      bucketRef: { namespace, name: 'guest', uuid: `uid-of-${namespace}` },
    },
  });

/** A server that selects by the field, or, as before 1.31, refuses to. */
function serverOf(items: BucketContent[], isOld: boolean) {
  const asked: unknown[] = [];
  const list: Cluster['list'] = async (_, __, age, fields) => {
    asked.push([age, fields]);
    if (fields && isOld) throw new ClusterError('rejected', 'field label not supported: spec.bucketIdentifier', 400);
    return items as never[];
  };
  return { asked, cluster: { list } as Cluster };
}

const items = [stage.content(), guest('team-a'), guest('team-b', 'another')];
const selected = ['present', { 'spec.bucketIdentifier': stage.storeName }];

test.each([
  ['that selects', false, [selected]],
  ['that cannot select', true, [selected, [undefined, undefined]]],
])('others are found by their bucket on a server %s', async (_, isOld, expected) => {
  const { cluster, asked } = serverOf(items, isOld);
  expect(await readNamesakes(cluster, stage.content())).toEqual([guest('team-a')]);
  expect(asked).toEqual(expected);
});

test('a server that does not answer says nothing of others', async () => {
  const list = async () => {
    throw new ClusterError('unreachable', 'away', 503);
  };
  await expect(readNamesakes({ list } as unknown as Cluster, stage.content())).rejects.toThrow('away');
});

test('of others in other namespaces nothing is told but how many there are', () => {
  const all = [guest('team-a'), guest('team-b'), guest('team-c')];
  expect(describeHolders(all, 'team-a')).toBe('Bucket team-a/guest, 2 Buckets of other namespaces');
  expect(describeHolders(all.slice(0, 1), 'team-b')).toBe('1 Bucket of other namespaces');
});
