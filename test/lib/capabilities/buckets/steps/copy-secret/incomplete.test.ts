import { describe, expect, test } from '@jest/globals';
import { decide } from '../../../../../../lib/capabilities/buckets/steps/copy-secret/decide.ts';
import type { CopyingWorld } from '../../../../../../lib/capabilities/buckets/steps/copy-secret/read.ts';
import * as stage from '../../bucket-stages.ts';
import { settle, testTable } from '../../bucket-table.ts';

const { bucket, data, source, target } = stage;
const without = (key: string) => Object.fromEntries(Object.entries(data).filter(([name]) => name !== key));
const byRole = stage.ready({ spec: { parameters: { credentials: 'role' } } });
const bound = bucket({ status: { phase: 'Bound', conditions: [stage.copied] } });
const withSource = (values: Record<string, string>): CopyingWorld => ({
  bucket: bucket(),
  content: stage.ready(),
  source: source(values),
});

describe('a driver’s Secret that lacks something', () => {
  testTable<CopyingWorld>(decide, [
    ...Object.keys(data).map((key) => ({
      situation: `is not copied without ${key}, which is told`,
      world: withSource(without(key)),
      says: 'wait SourceSecretIncomplete',
      on: 'bucket' as const,
      saying: ` lacks ${key}. The copied credentials stay`,
    })),
    {
      situation: 'has a key without a value',
      world: withSource({ ...data, AWS_SECRET_ACCESS_KEY: '' }),
      says: 'wait SourceSecretIncomplete',
      on: 'bucket',
      saying: 'lacks AWS_SECRET_ACCESS_KEY',
    },
    {
      situation: 'leaves the copy that was made before as it is, although that is ready no more',
      world: { ...withSource(without('AWS_SECRET_ACCESS_KEY')), bucket: bound, target: target() },
      says: 'wait SourceSecretIncomplete',
      on: 'bucket',
      phase: 'Bound',
    },
    {
      situation: 'with a role lacks the role, and no keys',
      world: { ...withSource(data), content: byRole },
      says: 'wait SourceSecretIncomplete',
      on: 'bucket',
      saying: ' lacks AWS_ROLE_ARN.',
    },
  ]);
});

test('a Secret with a role needs no keys', () => {
  const { AWS_ACCESS_KEY_ID: _, AWS_SECRET_ACCESS_KEY: __, ...rest } = data;
  const world = { ...withSource({ ...rest, AWS_ROLE_ARN: 'YXJu' }), content: byRole };
  expect(settle(decide, world).writes).toEqual(['create target', 'patch bucket status']);
});

test('what an administrator has made for a static class is copied as it is', () => {
  const content = stage.ready({ spec: { flow: 'Static' } });
  const world = { ...withSource({ TOKEN: 'dG9rZW4=' }), content };
  expect(settle(decide, world).writes).toEqual(['create target', 'patch bucket status']);
});

test('when it is whole again the Secret is put right, and ready', () => {
  const { world } = settle(decide, { ...withSource(without('BUCKET_NAME')), bucket: bound, target: target() });
  const after = settle(decide, { ...world, source: source({ ...data, AWS_ACCESS_KEY_ID: 'bmV3' }) });
  expect(after.writes).toEqual(['patch target', 'patch bucket status']);
  expect(after.decision).toMatchObject({ do: 'done', reason: 'Copied' });
});
