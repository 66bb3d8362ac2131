import { describe, expect, test } from '@jest/globals';
import { decide } from '../../../../../../lib/capabilities/transfers/steps/match-transfer/decide.ts';
import { read } from '../../../../../../lib/capabilities/transfers/steps/match-transfer/read.ts';
import { decide as decideVolume } from '../../../../../../lib/capabilities/transfers/steps/rebind-volume/decide.ts';
import { read as readVolume } from '../../../../../../lib/capabilities/transfers/steps/rebind-volume/read.ts';
import type { TransferWorld } from '../../../../../../lib/capabilities/transfers/world.ts';
import { approval, claim, configMap, request, settings, volume } from '../../../../../support/builders.ts';
import { clusterOf } from '../../../cluster-of.ts';
import { settle, summaryOf, testTable } from '../../../table.ts';
import * as stage from '../../stages.ts';

const { now } = stage;
const off = settings('transfersByRequest');
const switchedOff = (world: TransferWorld): TransferWorld => ({ ...world, settings: off });

describe('while transfers by request are off', () => {
  testTable(decide, [
    {
      situation: 'nothing begins, and the request says why',
      world: switchedOff(stage.asked),
      tells: 'wait TransfersOff',
      saying: 'it is off',
    },
    {
      situation: 'that a request is malformed is said all the same',
      world: switchedOff({ ...stage.asked, request: request({ spec: { targetName: '' } }) }),
      tells: 'reject Invalid',
    },
    {
      situation: 'a transfer that has passed its point of no return is finished',
      world: switchedOff(stage.withRecord),
      write: 'delete source',
      next: 'wait SourceHeld',
    },
    {
      situation: 'a volume whose source is released changes hands, as that was settled before',
      world: switchedOff(stage.released),
      write: 'patch volume',
      body: { spec: { claimRef: { uid: 'uid-target' } } },
      next: 'patch approval status',
    },
    {
      situation: 'a transfer that is complete stays so',
      world: switchedOff({ ...stage.restored, approval: undefined }),
      answer: 'done Complete',
    },
  ]);

  test('what has begun is taken back, and then said, on the approval too', () => {
    for (const by of [decide, decideVolume]) {
      const { writes, world } = settle(by, switchedOff(stage.withTarget));
      expect(writes.slice(0, 4)).toEqual(['patch volume', 'delete target', 'patch source', 'patch volume']);
      expect(world.source?.metadata.finalizers).toEqual(claim().metadata.finalizers);
      expect(world.volume?.spec).toEqual(volume().spec);
    }
    const said = settle(decide, switchedOff(stage.asked)).world;
    expect(said.approval?.status?.conditions).toEqual(said.request?.status?.conditions);
  });

  test('transfers by annotation being off is no reason', () => {
    const world = { ...stage.asked, settings: settings('transfersByAnnotation') };
    expect(summaryOf(decide(world, now))).toBe('patch source');
  });
});

test('the settings are read with the request, and with the volume before the point of no return', async () => {
  const given = configMap({ 'transfers-by-request': 'off' });
  const objects = [request(), approval(), stage.fenced(), stage.target(), volume(), given];
  const ofRequest = await read(clusterOf(...objects), { namespace: 'stage', name: 'move' }, now);
  const ofVolume = await readVolume(clusterOf(...objects), { name: 'volume-1' }, now);
  expect([ofRequest, ofVolume].map((world) => world.settings?.transfersByRequest.isOn)).toEqual([false, false]);
  expect(summaryOf(decideVolume(ofVolume, now))).toBe('patch volume');
});
