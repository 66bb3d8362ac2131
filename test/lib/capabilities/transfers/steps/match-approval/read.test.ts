import { expect, test } from '@jest/globals';
import { read } from '../../../../../../lib/capabilities/transfers/steps/match-approval/read.ts';
import { approval, request } from '../../../../../support/builders.ts';
import { clusterOf } from '../../../cluster-of.ts';
import { now } from '../../stages.ts';

const key = { namespace: 'prod', name: 'allow' };
const nothing = { pods: [], readAt: now };

test('an approval that is gone is a world without anything, and costs one call', async () => {
  const cluster = clusterOf(request());
  expect(await read(cluster, key, now)).toEqual({ ...nothing, approval: undefined, request: undefined });
  expect(cluster.asked).toHaveLength(1);
});

test('the request that it names is read, and nothing else', async () => {
  const cluster = clusterOf(approval(), request());
  expect(await read(cluster, key, now)).toEqual({ ...nothing, approval: approval(), request: request() });
  expect(cluster.asked).toHaveLength(2);
});

test('a request of that name in another namespace is not the one', async () => {
  const other = request({ metadata: { namespace: 'test' } });
  expect((await read(clusterOf(approval(), other), key, now)).request).toBeUndefined();
});

test('the request of an approval that is complete is not asked for', async () => {
  const cluster = clusterOf(approval({ status: { complete: true } }), request());
  expect((await read(cluster, key, now)).request).toBeUndefined();
  expect(cluster.asked).toHaveLength(1);
});
