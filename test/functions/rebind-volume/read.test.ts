import { expect, test } from '@jest/globals';
import { decide } from '../../../functions/rebind-volume/decide.ts';
import { read } from '../../../functions/rebind-volume/read.ts';
import { approval, claim, pod, protection, referenceTo, request, volume } from '../../support/builders.ts';
import { clusterOf } from '../cluster-of.ts';
import { bound, fenced, now, ofTarget, recorded, restored, target } from '../stages.ts';
import { settle, summaryOf } from '../table.ts';

const key = { name: 'volume-1' };

test('a volume that is gone is a world without anything', async () => {
  expect(await read(clusterOf(), key, now)).toEqual({ pods: [], readAt: now });
});

test('the record on the volume leads to everything', async () => {
  const objects = [recorded(), fenced(), target(), request(), approval(), pod()];
  const [volume, source, target_, request_, approval_, pod_] = objects;
  const world = await read(clusterOf(...objects), key, now);
  expect(world).toEqual({
    volume,
    source,
    target: target_,
    request: request_,
    approval: approval_,
    pods: [pod_],
    readAt: now,
  });
});

test('without a record the fence of the claim that holds the volume leads to the rest', async () => {
  const world = await read(clusterOf(volume(), fenced(), target(), request(), approval()), key, now);
  expect([world.source, world.target, world.request, world.approval]).toEqual([
    fenced(),
    target(),
    request(),
    approval(),
  ]);
});

test('after the record is off the mark on the target leads to the rest', async () => {
  const holder = bound.target ?? target();
  const world = await read(clusterOf(volume({ spec: ofTarget }), holder, request(), approval()), key, now);
  expect(world).toMatchObject({ target: holder, request: request(), approval: approval() });
  expect(world.source).toBeUndefined();
});

test('a claim that only has the name of the holder is not the holder', async () => {
  const namesake = fenced({ uid: 'uid-later' });
  expect(await read(clusterOf(volume(), namesake, request(), approval()), key, now)).toEqual({
    volume: volume(),
    pods: [],
    readAt: now,
  });
});

test('a request that was made anew under its name is another request', async () => {
  const anew = request({ metadata: { uid: 'uid-anew' } });
  const world = await read(clusterOf(recorded(), fenced(), target(), anew, approval()), key, now);
  expect(world.request).toBeUndefined();
  expect(summaryOf(decide(world, now))).toBe('patch source');
});

test('a forged fence on a claim that the request does not name starts nothing and is taken off', async () => {
  const forged = fenced({ name: 'other', uid: 'uid-other' });
  const held = volume({ spec: { claimRef: referenceTo(forged) } });
  const world = await read(clusterOf(held, forged, request(), approval(), target()), key, now);
  expect([world.request, world.approval, world.target]).toEqual([undefined, undefined, undefined]);
  const { writes, world: end } = settle(decide, world);
  expect(writes).toEqual(['patch confirmed', 'patch source', 'patch source']);
  expect([end.source?.metadata.finalizers, end.volume]).toEqual([[protection], held]);
});

test('a forged mark on a claim that is not the target of the request does nothing', async () => {
  const forged = target({ name: 'other', uid: 'uid-other' });
  const held = volume({ spec: { claimRef: referenceTo(forged) } });
  const world = await read(clusterOf(held, forged, request(), approval(), claim()), key, now);
  expect(summaryOf(decide(world, now))).toBe('done NoTransfer');
});

test('the pods of a source that is being deleted are not asked for: its finalizers tell', async () => {
  const deleting = fenced({ deletionTimestamp: '2026-03-01T11:59:59Z' });
  const cluster = clusterOf(recorded(), deleting, target(), request(), approval(), pod());
  expect((await read(cluster, key, now)).pods).toEqual([]);
  expect(cluster.asked).not.toContain('Pod in prod');
});

test('what was complete is read as complete', async () => {
  const complete = request({ status: { complete: true } });
  const holder = restored.target ?? target();
  const world = await read(clusterOf(volume({ spec: ofTarget }), holder, complete, approval()), key, now);
  expect(summaryOf(decide(world, now))).toBe('done Complete');
});
