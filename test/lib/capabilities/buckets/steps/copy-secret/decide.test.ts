import { describe, expect, test } from '@jest/globals';
import { decide } from '../../../../../../lib/capabilities/buckets/steps/copy-secret/decide.ts';
import type { CopyingWorld } from '../../../../../../lib/capabilities/buckets/steps/copy-secret/read.ts';
import * as stage from '../../bucket-stages.ts';
import { settle, testTable, writeOf } from '../../bucket-table.ts';

const { bucket, data, now, source, target } = stage;
const base: CopyingWorld = { bucket: bucket(), content: stage.ready(), source: source(data) };
const copied = settle(decide, { ...base, target: target() }).world.bucket;
const done: CopyingWorld = { ...base, bucket: copied, target: target() };
const edited = (values = data, metadata = {}): CopyingWorld => ({ ...done, target: target(values, metadata) });
const { AWS_ACCESS_KEY_ID: _, ...lessData } = data;
const auditor = { apiVersion: 'v1', kind: 'ConfigMap', name: 'audit', uid: 'uid-audit' };

describe('the credentials come into the namespace of the Bucket:', () => {
  const { uid: _uid, resourceVersion: __, ...metadata } = target().metadata;
  testTable<CopyingWorld>(decide, [
    {
      situation: 'as a Secret of the Bucket',
      world: base,
      write: 'create target',
      exactly: { ...target(), metadata },
      next: 'patch bucket status',
    },
    {
      situation: 'which the Bucket then tells',
      world: { ...base, target: target() },
      says: 'done Copied',
      on: 'bucket',
      saying: 'photos-access',
    },
    { situation: 'and that is all', world: done, answer: 'done Copied' },
    {
      situation: 'those of a static Bucket from where the administrator keeps them',
      world: { ...base, content: stage.ready({ spec: { flow: 'Static' } }), source: stage.administratorsSecret },
      write: 'create target',
      body: { data },
      next: 'patch bucket status',
    },
    {
      situation: 'never for a Bucket that is deleted',
      world: { ...base, bucket: bucket(stage.deleting) },
      answer: 'done BucketGone',
    },
    { situation: 'never for a Bucket that is gone', world: {}, answer: 'done BucketGone' },
    { situation: 'not before there are any', world: { bucket: bucket() }, answer: 'wait NoCredentials' },
  ]);
});

describe('a Secret of ours is put right', () => {
  const alone = { situation: '', write: 'patch target', next: 'done Copied' };
  testTable<CopyingWorld>(decide, [
    {
      ...alone,
      situation: 'when a value was changed',
      world: edited({ ...data, AWS_ACCESS_KEY_ID: 'b3RoZXI=' }),
      exactly: { metadata: {}, data: { AWS_ACCESS_KEY_ID: data.AWS_ACCESS_KEY_ID } },
    },
    {
      ...alone,
      situation: 'when a key was added',
      world: edited({ ...data, more: 'bW9yZQ==' }),
      exactly: { metadata: {}, data: { more: null } },
    },
    {
      ...alone,
      situation: 'when a key was removed',
      world: edited(lessData),
      exactly: { metadata: {}, data: { AWS_ACCESS_KEY_ID: data.AWS_ACCESS_KEY_ID } },
    },
    { ...alone, situation: 'when all was removed', world: edited({}), exactly: { metadata: {}, data } },
    {
      ...alone,
      situation: 'when the owner was taken off',
      world: edited(data, { ownerReferences: [] }),
      exactly: { metadata: { ownerReferences: [stage.ownedBy('Bucket')] } },
    },
    {
      ...alone,
      situation: 'and the other owners stay',
      world: edited(data, { ownerReferences: [auditor] }),
      exactly: { metadata: { ownerReferences: [auditor, stage.ownedBy('Bucket')] } },
    },
    {
      ...alone,
      situation: 'when the label was removed',
      world: edited(data, { labels: { team: 'a' } }),
      exactly: { metadata: { labels: stage.labels } },
    },
    {
      ...alone,
      situation: 'when the label was changed',
      world: edited(data, { labels: { 'cosi.io/provisioner': 'x' } }),
      exactly: { metadata: { labels: stage.labels } },
    },
    {
      ...alone,
      situation: 'when our mark was removed',
      world: edited(data, { annotations: {} }),
      exactly: { metadata: { annotations: { 'longshore.dev/bucket': stage.uid } } },
    },
    {
      ...alone,
      situation: 'when the credentials have become others',
      world: { ...done, source: source({ ...data, AWS_ACCESS_KEY_ID: 'bmV3' }) },
      exactly: { metadata: {}, data: { AWS_ACCESS_KEY_ID: 'bmV3' } },
    },
    {
      situation: 'and what others have added is theirs',
      world: edited(data, { labels: { ...stage.labels, team: 'a' } }),
      answer: 'done Copied',
    },
  ]);

  test('which is told', () => {
    expect(writeOf(decide(edited(lessData), now)).announce).toMatchObject([
      { type: 'Normal', reason: 'SecretRepaired' },
    ]);
  });
});
