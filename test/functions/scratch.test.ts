import { expect, test } from '@jest/globals';
import { matchTransfer } from '../../functions/match-transfer/step.ts';
import { rebindVolume } from '../../functions/rebind-volume/step.ts';
import { approval, claim, request, volume } from '../support/builders.ts';
import { clusterOf } from './cluster-of.ts';
import * as stage from './stages.ts';
import { settle, summaryOf } from './table.ts';
const { now } = stage;
const other = 'stage/again/uid-again';
test('A', async () => {
  const src = stage.fenced({ uid: 'uid-recreated', annotations: { [stage.ours]: other, 'longshore.dev/transfer-target': 'stage/copy2' } });
  const source = { ...src, spec: { ...src.spec, volumeName: 'volume-2' } };
  for (const r of [request({ status: { complete: true } }), request()]) {
    const w = await rebindVolume.read(clusterOf(volume({ spec: stage.ofTarget }), stage.standing(), source, r), { name: 'volume-1' }, now);
    const e = settle(rebindVolume.decide, w);
    console.log('A', e.writes, summaryOf(e.decision), JSON.stringify(e.world.source?.metadata));
  }
});
test('B', async () => {
  const complete = request({ status: { complete: true } });
  const source = { ...stage.fenced({ uid: 'uid-recreated' }), spec: { ...claim().spec, volumeName: 'volume-2' } };
  const v2 = volume({ metadata: { name: 'volume-2' }, spec: { claimRef: { namespace: 'prod', name: 'data', uid: 'uid-recreated' } } });
  for (const t of [[stage.standing()], []]) {
    const w = await rebindVolume.read(clusterOf(v2, source, complete, approval(), ...t), { name: 'volume-2' }, now);
    const e = settle(rebindVolume.decide, w);
    console.log('B', t.length, e.writes, summaryOf(e.decision), JSON.stringify(e.world.request?.status));
  }
});
test('C', async () => {
  const forged = { ...stage.target({ uid: 'uid-forged' }), spec: { volumeName: 'volume-9' } };
  const v9 = volume({ metadata: { name: 'volume-9', uid: 'uid-9' }, spec: { claimRef: { namespace: 'x', name: 'y', uid: 'uid-y' } } });
  const w = await matchTransfer.read(clusterOf(v9, volume(), stage.fenced(), forged, request()), { namespace: 'stage', name: 'move' }, now);
  const e = settle(matchTransfer.decide, w);
  console.log('C', w.volume?.metadata.name, e.writes, summaryOf(e.decision));
  expect(1).toBe(1);
});
test('D', async () => {
  // undoing left, fence gone, both want it again: who wakes
  const w = await rebindVolume.read(clusterOf(stage.undoing(), stage.fenced(), request(), approval()), { name: 'volume-1' }, now);
  const e = settle(rebindVolume.decide, w);
  console.log('D', e.writes, summaryOf(e.decision));
  const f = stage.fenced({ annotations: { [stage.ours]: stage.transfer } });
  const w2 = await rebindVolume.read(clusterOf(volume(), f, stage.target(), request(), approval()), { name: 'volume-1' }, now);
  console.log('D2', w2.target?.metadata.name, summaryOf(rebindVolume.decide(w2, now)));
});
test('E', async () => {
  // completed request refused approvals
  const e = settle(matchTransfer.decide, { ...stage.restored, refused: { slot: 'approval', message: 'schema' } });
  console.log('E', e.writes, summaryOf(e.decision));
  const f = settle(matchTransfer.decide, { ...stage.unfenced, refused: { slot: 'target', message: 'webhook' } });
  console.log('E2', f.writes, summaryOf(f.decision));
});
