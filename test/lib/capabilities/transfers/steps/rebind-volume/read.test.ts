import { expect, test } from '@jest/globals';
import { proceed } from '../../../../../../lib/capabilities/transfers/by-annotation/sequence.ts';
import { decide } from '../../../../../../lib/capabilities/transfers/steps/rebind-volume/decide.ts';
import { read } from '../../../../../../lib/capabilities/transfers/steps/rebind-volume/read.ts';
import {
  approval,
  claim,
  pod,
  protection,
  referenceTo,
  request,
  settings,
  volume,
} from '../../../../../support/builders.ts';
import { clusterOf } from '../../../cluster-of.ts';
import { settle, summaryOf } from '../../../table.ts';
import * as offer from '../../offer-stages.ts';
import { fenced, now, ofTarget, ours, recorded, recreated, standing, target, undoing } from '../../stages.ts';

const key = { name: 'volume-1' };

test('a volume that is gone is a world without anything', async () => {
  expect(await read(clusterOf(), key, now)).toEqual({ pods: [], readAt: now });
});

test('the record on the volume leads to everything', async () => {
  const world = await read(clusterOf(recorded(), fenced(), target(), request(), approval(), pod()), key, now);
  expect(world).toEqual({
    volume: recorded(),
    source: fenced(),
    target: target(),
    targetUid: 'uid-target',
    request: request(),
    approval: approval(),
    settings: settings(),
    pods: [pod()],
    readAt: now,
  });
});

test('the target is read before the request: then it is in the namespace of the request, and in no later one', async () => {
  const cluster = clusterOf(recorded(), fenced(), target(), request(), approval());
  await read(cluster, key, now);
  const [claimAt, requestAt] = ['persistentvolumeclaims/copy', 'storagetransferrequests/move'].map((part) =>
    cluster.asked.findIndex((path) => path.endsWith(part)),
  );
  expect(claimAt).toBeLessThan(requestAt ?? -1);
});

test('the record leads to the claims even when request and approval are gone', async () => {
  const world = await read(clusterOf(recorded(), fenced(), target()), key, now);
  expect(world).toMatchObject({ source: fenced(), target: target(), request: undefined, approval: undefined });
});

test.each([
  ['the cluster still protects', [fenced()]],
  ['was removed by force', []],
  ['was made anew', [recreated]],
  ['only we hold any more', [fenced({ finalizers: [ours] })]],
])('the pods of a source that %s are asked for', async (_, claims) => {
  const world = await read(clusterOf(recorded(), ...claims, target(), pod()), key, now);
  expect(world.pods).toEqual([pod()]);
});

test('the pods of a source that its volume has left are not asked for', async () => {
  const cluster = clusterOf(recorded(ofTarget), recreated, target(), pod());
  await read(cluster, key, now);
  expect(cluster.asked).not.toContain('Pod in prod');
});

test('the mark of a roll-back leads to the request whose transfer is taken back', async () => {
  const world = await read(clusterOf(undoing(), fenced(), target(), request(), approval()), key, now);
  expect(world).toMatchObject({ source: fenced(), target: target(), request: request(), approval: approval() });
  expect(summaryOf(decide(world, now))).toBe('delete target');
});

test('what is to be left behind is known to be in a namespace that stays', async () => {
  const deletionTimestamp = '2026-03-01T11:00:00Z';
  const source = fenced({ deletionTimestamp });
  for (const found of [recorded(), undoing()]) {
    const world = await read(clusterOf(found, source, target()), key, now);
    expect(world.sourceNamespace?.metadata.uid).toBe('uid-prod');
  }
  const { writes, decision } = settle(decide, await read(clusterOf(recorded(), source, target()), key, now));
  const rollBack = ['patch volume', 'patch volume', 'delete target', 'patch source', 'patch volume'];
  expect([writes, summaryOf(decision)]).toEqual([rollBack, 'reread DestinationChanged']);
});

test('what a request has left behind is an offer only when its roll-back is over', async () => {
  const annotations = { ...offer.record, ...undoing().metadata.annotations };
  const rolling = { ...offer.recorded(), metadata: { ...offer.recorded().metadata, annotations } };
  const objects = [fenced({ deletionTimestamp: '2026-03-01T11:00:00Z' }), target()];
  expect((await read(clusterOf(rolling, ...objects), key, now)).target).toEqual(target());
  expect((await read(clusterOf(offer.recorded(), ...objects), key, now)).destination).toEqual(offer.destination);
  expect(summaryOf(proceed({ ...offer.deleted, volume: rolling }, now))).toBe('wait RollingBack');
});

test('a roll-back of which only the mark is left is brought to its end', async () => {
  const world = await read(clusterOf(undoing(), claim(), request(), approval()), key, now);
  const { writes, decision } = settle(decide, world);
  expect([writes, summaryOf(decision)]).toEqual([['patch volume'], 'done NoTransfer']);
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
  const holder = standing();
  const world = await read(clusterOf(volume({ spec: ofTarget }), holder, request(), approval()), key, now);
  expect(world).toMatchObject({ target: holder, request: request(), approval: approval() });
  expect(world.source).toBeUndefined();
});

test('a claim that only has the name of the holder is not the holder: its fence counts for nothing', async () => {
  const namesake = fenced({ uid: 'uid-later' });
  const world = await read(clusterOf(volume(), namesake, request(), approval()), key, now);
  expect([world.source, world.request, world.approval]).toEqual([undefined, undefined, undefined]);
  expect(summaryOf(decide(world, now))).toBe('done NoTransfer');
});

test('a target that a delayed worker made in the place of the one that had the volume is removed', async () => {
  const held = volume({ spec: { claimRef: { ...referenceTo(standing()), uid: 'uid-earlier' } } });
  const world = await read(clusterOf(held, target()), key, now);
  expect(settle(decide, world).writes).toEqual(['delete target']);
});

test('a claim of a user in the place of the one that had the volume is left alone', async () => {
  const held = volume({ spec: { claimRef: { ...referenceTo(standing()), uid: 'uid-earlier' } } });
  const others = [target({ annotations: {} }), standing('Pending'), target({}, 'Bound')];
  for (const other of others) {
    expect(settle(decide, await read(clusterOf(held, other), key, now)).writes).toEqual([]);
  }
});

test('when the request is gone the fence leads to the target that is to be taken back', async () => {
  const world = await read(clusterOf(volume(), fenced(), target()), key, now);
  expect(settle(decide, world).writes).toEqual(['patch volume', 'delete target', 'patch source', 'patch volume']);
});

test('a request that was made anew under its name is another request, and the first one is withdrawn', async () => {
  const anew = request({ metadata: { uid: 'uid-anew' } });
  const world = await read(clusterOf(recorded(), fenced(), target(), anew, approval()), key, now);
  expect(world.request).toBeUndefined();
  expect(settle(decide, world).writes).toEqual([
    'patch volume',
    'delete target',
    'patch volume',
    'patch source',
    'patch volume',
  ]);
});

test('a request that was made anew before the record does not stand behind the fence', async () => {
  const anew = request({ metadata: { uid: 'uid-anew' } });
  const world = await read(clusterOf(volume(), fenced(), anew, approval()), key, now);
  expect(settle(decide, world).writes).toEqual(['patch volume', 'patch source', 'patch volume']);
});

test('a forged fence on a claim that the request does not name starts nothing and is taken off', async () => {
  const forged = { ...fenced({ name: 'other', uid: 'uid-other' }), spec: { volumeName: 'volume-2' } };
  const held = volume({ metadata: { name: 'volume-2' }, spec: { claimRef: referenceTo(forged) } });
  const cluster = clusterOf(held, forged, request(), approval(), target());
  const world = await read(cluster, { name: 'volume-2' }, now);
  expect([world.request, world.approval]).toEqual([undefined, undefined]);
  const { writes, world: end } = settle(decide, world);
  expect(writes).toEqual(['patch volume', 'patch source', 'patch volume']);
  expect([end.source?.metadata.finalizers, end.source?.metadata.annotations]).toEqual([[protection], {}]);
  expect([end.volume?.spec, end.volume?.metadata.annotations]).toEqual([held.spec, {}]);
});

test('a forged mark on a claim that is not the target of the request does nothing', async () => {
  const forged = target({ name: 'other', uid: 'uid-other' });
  const held = volume({ spec: { claimRef: referenceTo(forged) } });
  const world = await read(clusterOf(held, forged, request(), approval(), claim()), key, now);
  expect(summaryOf(decide(world, now))).toBe('done NoTransfer');
});

test('what was complete is read as complete', async () => {
  const complete = request({ status: { complete: true } });
  const holder = standing();
  const world = await read(clusterOf(volume({ spec: ofTarget }), holder, complete, approval()), key, now);
  expect(summaryOf(decide(world, now))).toBe('done Complete');
});
