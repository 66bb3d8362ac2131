import { describe, expect, test } from '@jest/globals';
import { sourceOf } from '../../../../../../lib/capabilities/data-sources/reference.ts';
import { claimGrant, linkedClaim, referringClaim } from '../../../../../support/builders-of-snapshots.ts';
import { claimKey, everything, Play } from '../../populate-play.ts';
import * as stage from '../../populate-stages.ts';
import { settle, summaryOf } from '../../populate-table.ts';

/** Whoever owns a claim can write there that somebody has written a namespace, which is not there. */
const named = [{ fieldsV1: { 'f:spec': { 'f:dataSourceRef': { 'f:namespace': {}, 'f:name': {} } } } }];
const both = [{ fieldsV1: { 'f:spec': { 'f:dataSource': {}, 'f:dataSourceRef': { 'f:namespace': {} } } } }];

describe.each([
  ['a namespace that was dropped', named],
  ['both sources', both],
])('a claim on which is forged that it named %s', (_, managedFields) => {
  test('is still of the link or the snapshot that it names', () => {
    expect(sourceOf(linkedClaim({ metadata: { managedFields } }))).toEqual({ type: 'link', name: 'yesterday' });
    expect(sourceOf(referringClaim({ metadata: { managedFields } }))).toEqual({
      ...{ type: 'reference', namespace: 'prod', name: 'backup' },
    });
  });

  test.each([
    ['before anything is made', 0],
    ['when the copies are made', 3],
    ['when the volume is made', 4],
    ['when the volume is handed over', 5],
  ])('and is deleted %s leaves nothing behind', async (_when, count) => {
    for (const first of [linkedClaim(), referringClaim()]) {
      const play = new Play([...everything().slice(1), first, claimGrant({ metadata: { name: 'claims' } })]);
      for (let run = 0; run < count; run += 1) {
        await play.run(1);
        play.othersWork();
      }
      const claim = play.find('PersistentVolumeClaim', 'copy');
      if (claim) play.replace(claim, { metadata: { managedFields } });
      play.remove('PersistentVolumeClaim', 'copy');
      await play.settle(Number.POSITIVE_INFINITY, [claimKey]);
      expect([play.find('PersistentVolumeClaim', 'copy'), play.copies]).toEqual([undefined, []]);
      expect(play.objects.filter(({ kind }) => kind === 'PersistentVolume')).toEqual([]);
    }
  });

  test('loses what was begun when consent is taken back', () => {
    const claim = stage.held({ metadata: { managedFields } });
    const rest = settle({ ...stage.stages.primeBound, claim, grants: [] });
    expect(rest.writes).toContain('delete prime');
    expect(summaryOf(rest.decision)).not.toContain('NotOurs');
    expect(rest.world.prime?.metadata.finalizers).not.toContain(stage.hold);
    expect(rest.world.claim?.metadata.finalizers).not.toContain(stage.hold);
  });
});
