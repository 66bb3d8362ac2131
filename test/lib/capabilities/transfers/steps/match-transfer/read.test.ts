import { expect, test } from '@jest/globals';
import { read } from '../../../../../../lib/capabilities/transfers/steps/match-transfer/read.ts';
import type { Pod } from '../../../../../../lib/kubernetes/objects.ts';
import { approval, claim, namespace, pod, request, settings, volume } from '../../../../../support/builders.ts';
import { clusterOf } from '../../../cluster-of.ts';
import { now, ofTarget, recreated, standing, target } from '../../stages.ts';

const key = { namespace: 'stage', name: 'move' };
const allOn = settings();

test('what the request names is read', async () => {
  const world = await read(clusterOf(request(), approval(), claim(), volume(), pod()), key, now);
  expect(world).toEqual({
    request: request(),
    approval: approval(),
    source: claim(),
    target: undefined,
    volume: volume(),
    settings: allOn,
    sourceNamespace: namespace('prod'),
    targetNamespace: namespace('stage'),
    pods: [pod()],
    arePodsRecent: true,
    readAt: now,
  });
});

test('a request that is wrong by itself costs no more reads', async () => {
  const cluster = clusterOf(request({ spec: { targetName: '' } }));
  expect((await read(cluster, key, now)).pods).toEqual([]);
  expect(cluster.asked).toEqual([
    '/apis/transfer.storage.k8s.io/v1alpha1/namespaces/stage/storagetransferrequests/move',
  ]);
});

test("the target's volume counts for more than that of a claim that was made anew in place of the source", async () => {
  const world = await read(clusterOf(request(), approval(), recreated, target(), volume()), key, now);
  expect(world.volume).toEqual(volume());
});

test('a target of another transfer does not lead to its volume', async () => {
  const foreign = target({ annotations: { 'longshore.dev/transferred-by': 'stage/other/uid-other' } });
  const world = await read(clusterOf(request(), approval(), recreated, foreign, volume()), key, now);
  expect(world.volume).toBeUndefined();
});

test('only pods that name the source count, and those that have ended too: they hold it until they are deleted', async () => {
  const ended = pod({ metadata: { name: 'ended' }, status: { phase: 'Succeeded' } });
  const other = pod({
    metadata: { name: 'other' },
    spec: { volumes: [{ name: 'disk', persistentVolumeClaim: { claimName: 'else' } }] },
  });
  const elsewhere = pod({ metadata: { namespace: 'test' } });
  const world = await read(
    clusterOf(request(), approval(), claim(), volume(), ended, other, elsewhere, pod()),
    key,
    now,
  );
  expect(world.pods).toEqual([ended, pod()]);
});

test('a pod uses the claim that was made for its ephemeral volume until it has ended', async () => {
  const source = claim({ metadata: { name: 'app-scratch' } });
  const asked = request({
    spec: { source: { namespace: 'prod', name: 'app-scratch', kind: 'PersistentVolumeClaim' } },
  });
  const user = pod({ spec: { volumes: [{ name: 'scratch', ephemeral: {} }] } });
  expect((await read(clusterOf(asked, approval(), source, volume(), user), key, now)).pods).toEqual([user]);
  const ended: Pod = { ...user, status: { phase: 'Failed' } };
  expect((await read(clusterOf(asked, approval(), source, volume(), ended), key, now)).pods).toEqual([]);
});

test('of a transfer that is complete only what may still be to do is read: its approval and its target', async () => {
  const complete = request({ status: { complete: true } });
  const cluster = clusterOf(complete, approval(), claim(), standing(), volume({ spec: ofTarget }), pod());
  const world = await read(cluster, key, now);
  expect(world).toEqual({ request: complete, approval: approval(), target: standing(), pods: [], readAt: now });
});

test('the pods are asked for even without an approval once the target is there', async () => {
  const world = await read(clusterOf(request(), claim(), target(), volume(), pod()), key, now);
  expect(world.pods).toEqual([pod()]);
});
