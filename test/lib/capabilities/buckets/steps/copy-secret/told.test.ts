import { describe, expect, test } from '@jest/globals';
import { decide, decideFailed } from '../../../../../../lib/capabilities/buckets/steps/copy-secret/decide.ts';
import type { CopyingWorld } from '../../../../../../lib/capabilities/buckets/steps/copy-secret/read.ts';
import * as stage from '../../bucket-stages.ts';
import { settle, summaryOf, testTable } from '../../bucket-table.ts';

const { bucket, data, source, target } = stage;
const base: CopyingWorld = { bucket: bucket(), content: stage.ready(), source: source(data) };
const copied = settle(decide, { ...base, target: target() }).world.bucket;
const done: CopyingWorld = { ...base, bucket: copied, target: target() };
const edited = (values = data, metadata = {}): CopyingWorld => ({ ...done, target: target(values, metadata) });
const { AWS_ACCESS_KEY_ID: _, ...lessData } = data;

describe('a Bucket says', () => {
  const lacking = (flow: 'Greenfield' | 'Static', found?: CopyingWorld['source']): CopyingWorld => ({
    ...base,
    content: stage.ready({ spec: { flow } }),
    source: found,
  });
  testTable<CopyingWorld>(decide, [
    {
      situation: "that the administrator's Secret is missing",
      world: lacking('Static'),
      says: 'wait SourceSecretMissing',
      on: 'bucket',
      saying: 'ask the administrator',
    },
    {
      situation: 'that it is empty',
      world: lacking('Static', source({})),
      says: 'wait SourceSecretMissing',
      on: 'bucket',
    },
    {
      situation: "that the driver's Secret is missing",
      world: lacking('Greenfield'),
      says: 'wait SourceSecretMissing',
      on: 'bucket',
      saying: stage.sourceName,
    },
    {
      situation: 'that the credentials it had are not there any more',
      world: { ...done, source: undefined },
      says: 'wait SourceSecretMissing',
      on: 'bucket',
    },
    {
      situation: 'that the server will not have the Secret',
      world: { ...base, refused: { slot: 'target', message: 'quota' } },
      says: 'reject WriteRefused',
      on: 'bucket',
      saying: 'cannot be written: quota',
    },
    {
      situation: 'nothing where its own status is refused',
      world: { ...base, refused: { slot: 'bucket', message: 'no' } },
      answer: 'reject WriteRefused',
    },
  ]);
});

describe('the last failure', () => {
  const failed = (each: CopyingWorld, at: Date) => decideFailed(each, 'denied', at);

  test('is told where there is no Secret yet', () => {
    const { world, decision } = settle(failed, base);
    expect([summaryOf(decision), world.bucket?.status?.conditions?.[0]?.message]).toEqual(['reject Failed', 'denied']);
  });

  test('is not told over the word that the Secret is there', () => {
    expect([settle(failed, done).writes, settle(failed, {}).writes]).toEqual([[], []]);
  });
});

test('the source of the credentials is never written to', () => {
  for (const world of [base, edited(lessData), { ...done, source: source({}) }])
    expect(settle(decide, world).world.source).toBe(world.source);
});
