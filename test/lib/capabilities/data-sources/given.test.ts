import { describe, expect, test } from '@jest/globals';
import { isHandedTo, isProvisioned, markFor, snapshotOn } from '../../../../lib/capabilities/data-sources/given.ts';
import type { Volume } from '../../../../lib/kubernetes/objects.ts';
import { linkedClaim } from '../../../support/builders-of-snapshots.ts';
import * as stage from './populate-stages.ts';

const marked = (annotations: Record<string, string>, uid = 'uid-claim'): Volume => ({
  ...stage.volume({ claimRef: { ...stage.toClaim, uid } }),
  metadata: { name: 'pvc-uid-prime', annotations },
});
const snapshot = 'prod/backup/uid-snapshot';

test('a volume says whose it is and what is in it', () => {
  expect(markFor(linkedClaim(), snapshot)).toEqual({ ...stage.forClaim, ...stage.ofSnapshot });
  expect(snapshotOn(marked(stage.ofSnapshot))).toBe(snapshot);
  expect(snapshotOn(marked({}))).toBe('');
});

describe('a volume is handed to a claim', () => {
  test('when it says so, and belongs to it', () => {
    expect(isHandedTo(linkedClaim(), stage.handed())).toBe(true);
  });

  test.each<[string, Volume]>([
    ['that it does not name', marked({})],
    ['of the same name that was there before', marked({ 'longshore.dev/populates': 'test/copy/uid-before' })],
    ['that it does not belong to yet', marked(stage.forClaim, 'uid-prime')],
    ['that it does not belong to any more', marked(stage.forClaim, 'uid-of-another')],
    ['that somebody has bound it to', stage.volume({ claimRef: stage.toClaim })],
    ['while it belongs to nobody', { ...stage.handed(), spec: {} }],
  ])('but not to one %s', (_, volume) => {
    expect(isHandedTo(linkedClaim(), volume)).toBe(false);
  });
});

describe('a volume was made by a provisioner', () => {
  test.each<[string, Record<string, string>, boolean]>([
    ['when that says so', { 'pv.kubernetes.io/provisioned-by': 'disk.example.com' }, true],
    ['not when the controller has chosen it', { 'pv.kubernetes.io/provisioned-by': 'a', ...stage.chosen }, false],
    ['not when nobody says so', {}, false],
    ['not when an administrator has made it', stage.chosen, false],
  ])('%s', (_, annotations, expected) => {
    expect(isProvisioned(marked(annotations))).toBe(expected);
  });

  test('not when it says nothing at all', () => {
    expect(isProvisioned({ ...stage.volume(), metadata: { name: 'a' } })).toBe(false);
  });
});
