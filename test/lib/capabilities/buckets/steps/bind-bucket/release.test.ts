import { describe, expect, test } from '@jest/globals';
import type { BucketContent } from '../../../../../../lib/capabilities/buckets/objects.ts';
import { decide } from '../../../../../../lib/capabilities/buckets/steps/bind-bucket/decide.ts';
import type { BindingWorld } from '../../../../../../lib/capabilities/buckets/steps/bind-bucket/read.ts';
import * as stage from '../../bucket-stages.ts';
import { settle, statusIn, testTable } from '../../bucket-table.ts';

const { content, deletionTimestamp, finalizer } = stage;
const conditions = [stage.said('Bound', 'Bound', deletionTimestamp, true), stage.copied];
const bucket = stage.bucket({ metadata: { deletionTimestamp }, status: { phase: 'Bound', conditions } });
const going = (
  status: BucketContent['status'],
  flow: BucketContent['spec']['flow'] = 'Greenfield',
  finalizers = [finalizer],
) => content({ metadata: { deletionTimestamp, finalizers }, spec: { flow }, status });

describe('a Bucket that is deleted takes its content with it, one write after the other:', () => {
  testTable<BindingWorld>(decide, [
    {
      situation: 'the content is deleted',
      world: { bucket, content: stage.ready() },
      write: 'delete content',
      next: 'patch bucket status',
    },
    {
      situation: 'also one that failed',
      world: { bucket, content: content({ status: { phase: 'Failed' } }) },
      write: 'delete content',
      next: 'patch bucket status',
    },
    {
      situation: 'the Bucket waits for the driver to delete the bucket',
      world: { bucket, content: going({ phase: 'Bound' }) },
      says: 'wait Releasing',
      on: 'bucket',
      saying: 'the bucket is being deleted',
    },
    {
      situation: 'or to take access back',
      world: { bucket, content: going({ phase: 'Bound' }, 'Brownfield') },
      says: 'wait Releasing',
      on: 'bucket',
      saying: 'access is being revoked',
    },
    {
      situation: 'and tells how far the driver is',
      world: { bucket, content: going({ phase: 'Bound', message: '5 gone' }) },
      says: 'wait Releasing',
      on: 'bucket',
      saying: '5 gone',
    },
    {
      situation: 'and why it fails',
      world: { bucket, content: going({ phase: 'Failed', message: 'occupied' }) },
      says: 'wait Releasing',
      on: 'bucket',
      saying: 'occupied',
    },
    {
      situation: 'a static content is released by nobody else',
      world: { bucket, content: going({ phase: 'Bound' }, 'Static') },
      write: 'patch content status',
      exactly: { status: { phase: 'Released' } },
      next: 'patch content',
    },
    {
      situation: 'what is released is let go',
      world: { bucket, content: going({ phase: 'Released' }) },
      write: 'patch content',
      exactly: { metadata: { finalizers: [] } },
      next: 'patch bucket',
    },
    {
      situation: "somebody else's finalizer on it stays",
      world: { bucket, content: going({ phase: 'Released' }, 'Greenfield', ['example.com/audit', finalizer]) },
      write: 'patch content',
      exactly: { metadata: { finalizers: ['example.com/audit'] } },
      next: 'wait ContentHeld',
    },
    {
      situation: 'the Bucket goes last',
      world: { bucket },
      write: 'patch bucket',
      exactly: { metadata: { finalizers: [] } },
      next: 'done NotHeld',
    },
    {
      situation: "another Bucket's content is none of its business",
      world: {
        bucket,
        content: content({ spec: { bucketRef: { namespace: 'prod', name: 'photos', uuid: 'uid-of-another' } } }),
      },
      write: 'patch bucket',
      next: 'done NotHeld',
    },
    {
      situation: 'a Bucket that was never held goes by itself',
      world: { bucket: stage.fresh({ ...bucket.metadata }), bucketClass: stage.classes.Greenfield },
      answer: 'done NotHeld',
    },
    {
      situation: 'what the server refuses is said',
      world: { bucket, content: stage.ready(), refused: { slot: 'content', message: 'no' } },
      says: 'reject WriteRefused',
      on: 'bucket',
    },
  ]);
});

test('a Bucket is never let go before its driver has given back what there is', () => {
  for (const phase of [undefined, 'Ready', 'Bound', 'Retrying', 'Failed'] as const) {
    for (const flow of ['Greenfield', 'Brownfield'] as const) {
      const { writes } = settle(decide, {
        bucket,
        content: content({ spec: { flow }, status: phase ? { phase } : {} }),
      });
      expect(writes).not.toContain('patch bucket');
    }
  }
});

test('what a Bucket says of its Secret outlives the news of its release', () => {
  const { world } = settle(decide, { bucket, content: going({ phase: 'Bound' }) });
  expect(statusIn(world, 'bucket').conditions?.map(({ reason }) => reason)).toEqual(['Releasing', 'Copied']);
});
