import { describe, expect, test } from '@jest/globals';
import {
  contentCopyFor,
  handleOf,
  primeFor,
  readCopies,
  snapshotCopyFor,
} from '../../../../lib/capabilities/data-sources/copies.ts';
import { linkedClaim, snapshotContent, volumeSnapshot } from '../../../support/builders-of-snapshots.ts';
import { clusterOf } from '../cluster-of.ts';
import * as stage from './populate-stages.ts';

const { contentCopy, prime, snapshotCopy } = stage;

test('the three copies are read by one name, each where it stands', async () => {
  const elsewhere = { ...prime(), metadata: { ...prime().metadata, namespace: 'test' } };
  const cluster = clusterOf(elsewhere, contentCopy(), snapshotCopy(), prime());
  expect(await readCopies(cluster, stage.copyName)).toEqual({
    contentCopy: contentCopy(),
    snapshotCopy: snapshotCopy(),
    prime: prime(),
  });
  expect(cluster.asked).toHaveLength(3);
});

test('what is not there is undefined', async () => {
  expect(await readCopies(clusterOf(), stage.copyName)).toEqual({});
});

describe('the handle of a snapshot in the store', () => {
  test('is what the driver has told, or what the content was made for', () => {
    expect(handleOf(snapshotContent())).toBe('handle-1');
    const spec = { source: { snapshotHandle: 'handle-0' } };
    expect(handleOf(snapshotContent({ spec, status: undefined }))).toBe('handle-0');
    expect(handleOf(snapshotContent({ spec }))).toBe('handle-1');
    expect(handleOf(snapshotContent({ status: undefined }))).toBeUndefined();
  });
});

test('nothing that is made for a claim names its user’s objects but in a mark', () => {
  const claim = linkedClaim({ metadata: { labels: { app: 'db' }, annotations: { note: 'x' }, generation: 3 } });
  const made = [
    contentCopyFor(claim, volumeSnapshot(), snapshotContent()),
    snapshotCopyFor(claim, contentCopy()),
    primeFor(claim, contentCopy()),
  ];
  expect(made).toEqual([stage.contentCopyAsMade, stage.snapshotCopyAsMade, stage.primeAsMade]);
});

test('a snapshot whose content has no class has none either', () => {
  const { volumeSnapshotClassName: _, ...spec } = contentCopy().spec;
  expect(snapshotCopyFor(linkedClaim(), { ...contentCopy(), spec }).spec).toEqual({
    source: { volumeSnapshotContentName: stage.copyName },
  });
});

test('what a claim leaves open is left open', () => {
  const claim = linkedClaim();
  const { accessModes: _, resources: __, storageClassName: ___, volumeMode: ____, ...spec } = claim.spec;
  expect(Object.keys(primeFor({ ...claim, spec }, contentCopy()).spec)).toEqual(['dataSourceRef']);
});
