import { describe, expect, test } from '@jest/globals';
import { matchTransfer } from '../../../../lib/capabilities/transfers/steps/match-transfer/step.ts';
import { rebindVolume } from '../../../../lib/capabilities/transfers/steps/rebind-volume/step.ts';
import type { Claim, ClusterObject } from '../../../../lib/kubernetes/objects.ts';
import { approval, claim, protection, request, volume } from '../../../support/builders.ts';
import { clusterOf } from '../cluster-of.ts';
import { settle } from '../table.ts';
import { fence, fenced, now, ofTarget, ours, standing, target } from './stages.ts';

/** Marks that users wrote, or that belong to something else: they lead nowhere. */
const onVolume2 = (source: Claim): Claim => ({ ...source, spec: { ...source.spec, volumeName: 'volume-2' } });
const recreated = (annotations: Record<string, string>): Claim =>
  onVolume2(fenced({ uid: 'uid-recreated', annotations }));
const volume2 = volume({
  metadata: { name: 'volume-2', uid: 'uid-volume-2' },
  spec: { claimRef: { namespace: 'prod', name: 'data', uid: 'uid-recreated' } },
});
const complete = request({ status: { complete: true } });

async function writesOf(step: typeof rebindVolume, name: string, ...objects: ClusterObject[]): Promise<string[]> {
  const key = step === matchTransfer ? { namespace: 'stage', name } : { name };
  return settle(step.decide, await step.read(clusterOf(...objects), key, now)).writes;
}

describe('a message of a volume whose transfer is over', () => {
  const ofAnother = recreated({ [ours]: 'stage/again/uid-again', 'longshore.dev/transfer-target': 'stage/copy2' });
  test.each([
    ['complete', complete],
    ['not known to be complete', request()],
  ])(
    'leaves the fence alone that another transfer has raised on the new source, the request being %s',
    async (_, of) => {
      const writes = await writesOf(rebindVolume, 'volume-1', volume({ spec: ofTarget }), standing(), ofAnother, of);
      expect(writes.filter((write) => !write.endsWith(' status'))).toEqual([]);
    },
  );
});

describe('a request that is complete with its approval still there', () => {
  test.each([
    ['is not begun anew', []],
    ['stays complete', [standing()]],
  ])('%s by a forged fence on a new claim of the name of its source', async (_, targets) => {
    const objects = [volume2, recreated(fence), complete, approval(), ...targets];
    const writes = await writesOf(rebindVolume, 'volume-2', ...objects);
    expect(writes).toEqual(['patch volume', 'patch source', 'patch volume']);
  });
});

test("a forged target that names somebody else's volume does not have that volume marked", async () => {
  const foreign = volume({
    metadata: { name: 'volume-9', uid: 'uid-9' },
    spec: { claimRef: { namespace: 'test', name: 'other', uid: 'uid-other' } },
  });
  const forged = { ...target({ uid: 'uid-forged' }), spec: { volumeName: 'volume-9' } };
  const objects = [foreign, volume(), fenced(), forged, request()];
  const world = await matchTransfer.read(clusterOf(...objects), { namespace: 'stage', name: 'move' }, now);
  expect(matchTransfer.decide(world, now)).not.toMatchObject({ write: { object: { name: 'volume-9' } } });
});

test('a fence whose target was changed by a user does not keep the volume from going on', async () => {
  const changed = fenced({ annotations: { ...fence, 'longshore.dev/transfer-target': 'stage/else' } });
  const objects = [volume(), changed, target(), request(), approval()];
  expect(await writesOf(rebindVolume, 'volume-1', ...objects)).toEqual([
    'patch source',
    'patch volume',
    'delete source',
  ]);
});

test.each([
  ['no word', { note: 'mine' }],
  ['a word that names no transfer', { note: 'mine', [ours]: 'move' }],
])('our finalizer with %s of what it is for is taken off the claim that holds the volume', async (_, annotations) => {
  const world = await rebindVolume.read(
    clusterOf(volume(), fenced({ annotations }), request(), approval()),
    { name: 'volume-1' },
    now,
  );
  const { writes, world: end, decision } = settle(rebindVolume.decide, world);
  expect([writes, decision]).toEqual([['patch source'], { do: 'done', reason: 'NoTransfer' }]);
  expect(end.source?.metadata).toMatchObject({ finalizers: [protection], annotations: { note: 'mine' } });
});

test('a claim without our finalizer is not touched for an annotation that names no transfer', async () => {
  const marked = claim({ metadata: { annotations: { [ours]: 'move' } } });
  expect(await writesOf(rebindVolume, 'volume-1', volume(), marked)).toEqual([]);
});
