import { describe, expect, test } from '@jest/globals';
import { decide } from '../../../../../../lib/capabilities/data-sources/steps/populate-claim/decide.ts';
import { snapshotContent } from '../../../../../support/builders-of-snapshots.ts';
import * as stage from '../../populate-stages.ts';
import { writeOf } from '../../populate-table.ts';

const { held, now, stages } = stage;

describe('a prime claim asks for', () => {
  const primeOf = (spec: object, metadata = {}) => {
    const claim = held({ metadata: { finalizers: [stage.hold], ...metadata }, spec });
    const write = writeOf(decide({ ...stages.snapshotReady, claim }, now));
    return (write as { body: typeof stage.primeAsMade }).body;
  };

  test('all that the claim asks for', () => {
    const wish = {
      accessModes: ['ReadWriteMany', 'ReadOnlyMany'],
      resources: { requests: { storage: '5Gi' }, limits: { storage: '6Gi' } },
      volumeAttributesClassName: 'gold',
    };
    expect(primeOf(wish).spec).toEqual({ ...stage.primeAsMade.spec, ...wish });
  });

  test('the mode of the claim', () => {
    const block = { sourceVolumeMode: 'Block' };
    const claim = held({ spec: { volumeMode: 'Block' } });
    const content = snapshotContent({ spec: block });
    const world = { ...stages.snapshotReady, claim, content };
    expect(writeOf(decide(world, now))).toMatchObject({ slot: 'prime', body: { spec: { volumeMode: 'Block' } } });
  });

  test('nothing that its user wrote on the claim', () => {
    const metadata = {
      labels: { app: 'db' },
      annotations: { 'example.com/note': 'x' },
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'db', uid: 'uid-owner' }],
    };
    expect(primeOf({}, metadata).metadata).toEqual(stage.primeAsMade.metadata);
  });

  test('no selector, which provisioners refuse', () => {
    expect(primeOf({ selector: { matchLabels: { 'longshore.dev/volume': 'populated' } } })).toEqual(stage.primeAsMade);
  });

  test('the node that its pod is to run on', () => {
    const annotations = { [stage.selectedNode]: 'node-1' };
    expect(primeOf({}, { annotations }).metadata.annotations).toEqual({
      ...stage.primeAsMade.metadata.annotations,
      [stage.selectedNode]: 'node-1',
      'longshore.dev/selected-node': 'node-1',
    });
  });
});

describe('the copy of a content', () => {
  const copyOf = (content: ReturnType<typeof snapshotContent>) =>
    writeOf(decide({ ...stages.held, content }, now)) as unknown as { body: typeof stage.contentCopyAsMade };

  test('is of the same snapshot in the store when that was there before', () => {
    const spec = { source: { snapshotHandle: 'handle-1' } };
    expect(copyOf(snapshotContent({ spec, status: { readyToUse: true } })).body).toEqual(stage.contentCopyAsMade);
  });

  test('has no mode and no class where the content has none', () => {
    const { sourceVolumeMode: _, volumeSnapshotClassName: __, ...spec } = snapshotContent().spec;
    const { sourceVolumeMode: ___, volumeSnapshotClassName: ____, ...expected } = stage.contentCopyAsMade.spec;
    expect(copyOf({ ...snapshotContent(), spec }).body.spec).toEqual(expected);
  });

  test('is Retain whatever the content is', () => {
    for (const deletionPolicy of ['Delete', 'Retain'] as const) {
      expect(copyOf(snapshotContent({ spec: { deletionPolicy } })).body.spec.deletionPolicy).toBe('Retain');
    }
  });

  test('allows another mode where an administrator has allowed it', () => {
    const allowed = { 'snapshot.storage.kubernetes.io/allow-volume-mode-change': 'true' };
    expect(copyOf(snapshotContent({ metadata: { annotations: allowed } })).body.metadata.annotations).toEqual({
      ...stage.forClaim,
      ...stage.ofSnapshot,
      ...allowed,
    });
  });
});
