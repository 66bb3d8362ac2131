import { describe, expect, test } from '@jest/globals';
import { decide } from '../../../../../../lib/capabilities/buckets/steps/copy-secret/decide.ts';
import { type CopyingWorld, read } from '../../../../../../lib/capabilities/buckets/steps/copy-secret/read.ts';
import { clusterOf } from '../../../cluster-of.ts';
import * as stage from '../../bucket-stages.ts';
import { settle, statusIn, summaryOf, testTable } from '../../bucket-table.ts';

const { bucket, data, later, now, source, target } = stage;
const stranger = target({}, { ownerReferences: [], annotations: {} });
const anotherBuckets = target(
  {},
  { annotations: {}, ownerReferences: [{ ...stage.ownedBy('Bucket'), uid: 'uid-of-another' }] },
);
const base: CopyingWorld = { bucket: bucket(), content: stage.ready(), source: source(data), target: stranger };
const since = (seconds: number, reason = 'SecretExists'): CopyingWorld => {
  const condition = { ...stage.said('SecretReady', reason, stage.before(seconds)) };
  return { ...base, bucket: bucket({ status: { conditions: [condition] } }) };
};

describe("somebody else's Secret is never written to:", () => {
  testTable<CopyingWorld>(decide, [
    {
      situation: 'the Bucket says that the name is taken',
      world: base,
      says: 'wait SecretExists',
      on: 'bucket',
      saying: 'photos-access',
    },
    {
      situation: "another Bucket's is somebody else's",
      world: { ...base, target: anotherBuckets },
      says: 'wait SecretExists',
      on: 'bucket',
    },
    {
      situation: 'the mark of another Bucket is no leave',
      world: {
        ...base,
        target: target({}, { ownerReferences: [], annotations: { 'longshore.dev/bucket': 'uid-of-another' } }),
      },
      says: 'wait SecretExists',
      on: 'bucket',
    },
    {
      situation: 'not even one that has taken the place of ours',
      world: { ...base, bucket: bucket({ status: { phase: 'Bound', conditions: [stage.copied] } }) },
      says: 'wait SecretExists',
      on: 'bucket',
      phase: 'Bound',
    },
    { situation: 'ten minutes are waited for the name', world: since(590), says: 'wait SecretExists', on: 'bucket' },
    {
      situation: 'and no longer',
      world: since(601),
      says: 'reject SecretExistsTimeout',
      on: 'bucket',
      saying: 'not free for 10 minutes',
    },
    {
      situation: 'which stays so',
      world: since(0, 'SecretExistsTimeout'),
      says: 'reject SecretExistsTimeout',
      on: 'bucket',
    },
  ]);
});

test('the ten minutes begin with the collision, not with an earlier problem', () => {
  const { world } = settle(decide, since(3_600, 'SourceSecretMissing'));
  expect(statusIn(world, 'bucket').conditions).toMatchObject([
    { reason: 'SecretExists', lastTransitionTime: '2026-03-01T12:00:00Z' },
  ]);
  expect(summaryOf(decide(world, later(600)))).toBe('wait SecretExists');
  expect(settle(decide, world, {}, later(601)).decision).toMatchObject({ do: 'reject', reason: 'SecretExistsTimeout' });
});

test.each(['SecretExists', 'SecretExistsTimeout'])('after %s it goes on when the name is free', (reason) => {
  const { writes, decision, world } = settle(decide, { ...since(700, reason), target: undefined });
  expect([writes, summaryOf(decision)]).toEqual([['create target', 'patch bucket status'], 'done Copied']);
  expect(world.target?.metadata.ownerReferences).toEqual([stage.ownedBy('Bucket')]);
});

describe('no Secret is looked at', () => {
  const key = { namespace: 'prod', name: 'photos' };
  const secrets = [source(data), target()];

  test.each([
    ['before there are credentials', stage.content()],
    [
      "where the content is another Bucket's",
      stage.ready({ spec: { bucketRef: { namespace: 'prod', name: 'photos', uuid: 'other' } } }),
    ],
  ])('%s', async (_, content) => {
    const cluster = clusterOf(bucket(), content, ...secrets);
    expect(await read(cluster, key)).toEqual({ bucket: bucket() });
    expect(cluster.asked.filter((path) => path.includes('secrets'))).toEqual([]);
  });

  test('of a Bucket that goes or is gone', async () => {
    const going = bucket(stage.deleting);
    expect(await read(clusterOf(going, stage.ready(), ...secrets), key)).toEqual({ bucket: going });
    expect(await read(clusterOf(stage.ready(), ...secrets), key)).toEqual({});
  });
});

test('a content that somebody has deleted is in use until its Bucket goes, and so the Secret is put right', async () => {
  const content = stage.ready({ ...stage.deleting, status: { phase: 'Bound' } });
  const cluster = clusterOf(bucket(), content, source(data));
  const world = await read(cluster, { namespace: 'prod', name: 'photos' });
  expect(settle(decide, world).writes).toEqual(['create target', 'patch bucket status']);
});

test('a Bucket with credentials leads to both Secrets', async () => {
  const cluster = clusterOf(bucket(), stage.ready(), source(data), target());
  const world = await read(cluster, { namespace: 'prod', name: 'photos' });
  expect(world).toEqual({ bucket: bucket(), content: stage.ready(), source: source(data), target: target() });
  expect(summaryOf(decide(world, now))).toBe('patch bucket status');
});
