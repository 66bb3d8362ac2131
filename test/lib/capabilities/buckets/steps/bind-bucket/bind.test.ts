import { describe, expect, test } from '@jest/globals';
import { decide } from '../../../../../../lib/capabilities/buckets/steps/bind-bucket/decide.ts';
import type { BindingWorld } from '../../../../../../lib/capabilities/buckets/steps/bind-bucket/read.ts';
import { settings } from '../../../../../support/builders.ts';
import * as stage from '../../bucket-stages.ts';
import { settle, statusIn, summaryOf, testTable, writeOf } from '../../bucket-table.ts';

const { bucket, content, classes, registration, now, driver } = stage;
const bucketClass = classes.Greenfield;
const told = bucket({ status: { phase: 'Pending', conditions: [stage.said('Bound', 'Provisioning')] } });
const copied = bucket({ status: { phase: 'Pending', conditions: [stage.copied] } });
const provisioning = `provisioned by ${driver}, as defined by class fast`;
const toldSo = { ...stage.said('Bound', 'Provisioning'), message: provisioning };
const announced = bucket({ status: { phase: 'Pending', conditions: [toldSo] } });

describe('a Bucket becomes bound, one write after the other:', () => {
  testTable<BindingWorld>(decide, [
    {
      situation: 'it is held before anything is made',
      world: { bucket: stage.asked, bucketClass },
      write: 'patch bucket',
      exactly: { metadata: { finalizers: [stage.finalizer], labels: stage.labels } },
      next: 'patch bucket status',
    },
    {
      situation: "somebody else's finalizer stays",
      world: { bucket: bucket({ metadata: { finalizers: ['example.com/audit'] } }), bucketClass },
      write: 'patch bucket',
      body: { metadata: { finalizers: ['example.com/audit', stage.finalizer] } },
      next: 'patch bucket status',
    },
    {
      situation: 'it says what is being done',
      world: { bucket: bucket(), bucketClass },
      write: 'patch bucket status',
      body: { status: { phase: 'Pending', conditions: [{ type: 'Bound', status: 'False', message: provisioning }] } },
      next: 'create content',
    },
    {
      situation: 'its content is made, and its driver will be heard of',
      world: { bucket: announced, bucketClass },
      write: 'create content',
      next: 'wait Provisioning',
    },
    {
      situation: 'it waits while the driver is at work',
      world: { bucket: announced, bucketClass, content: content(), registration: registration() },
      answer: 'wait Provisioning',
    },
    {
      situation: 'it waits for its Secret when there are credentials',
      world: { bucket: told, bucketClass, content: stage.ready() },
      answer: 'wait AwaitingSecret',
    },
    {
      situation: 'and says what keeps the Secret from being there',
      world: {
        bucket: bucket({ status: { conditions: [stage.said('SecretReady', 'SecretExists')] } }),
        content: stage.ready(),
      },
      says: 'wait AwaitingSecret',
      on: 'bucket',
      saying: 'SecretExists',
      phase: 'Pending',
    },
    {
      situation: 'the content is bound first, once the Secret is there',
      world: { bucket: copied, content: stage.ready() },
      write: 'patch content status',
      exactly: { status: { phase: 'Bound', message: null } },
      next: 'patch bucket status',
    },
    {
      situation: 'and then the Bucket, without a word lost of its Secret',
      world: { bucket: copied, content: stage.ready({ status: { phase: 'Bound' } }) },
      write: 'patch bucket status',
      body: {
        status: {
          phase: 'Bound',
          bucketContentName: stage.contentName,
          conditions: [{ type: 'Bound', status: 'True', reason: 'Bound' }, stage.copied],
        },
      },
      next: 'done Bound',
    },
    {
      situation: 'a static content needs no driver to be ready',
      world: { bucket: told, content: content({ spec: { flow: 'Static' } }) },
      write: 'patch content status',
      exactly: { status: { phase: 'Ready' } },
      next: 'wait AwaitingSecret',
    },
    { situation: 'a Bucket that is gone needs nothing', world: {}, answer: 'done BucketGone' },
    {
      situation: 'a Bucket that is bound stays so when its class is gone and buckets are off',
      world: {
        bucket: settle(decide, { bucket: copied, content: stage.ready() }).world.bucket,
        content: stage.ready({ status: { phase: 'Bound' } }),
        settings: settings('buckets'),
      },
      answer: 'done Bound',
    },
  ]);
});

test.each(['Greenfield', 'Brownfield', 'Static'] as const)(
  'everything that release needs is on a %s content, as the class may be gone by then',
  (flow) => {
    const held = { bucket: bucket(), bucketClass: classes[flow] };
    const told = settle(decide, held);
    const wanted = content({ spec: { flow } });
    const { uid: _, resourceVersion: __, generation: ___, ...metadata } = wanted.metadata;
    const write = writeOf(decide({ ...held, bucket: settleOnce(held) }, now));
    expect(write).toMatchObject({ verb: 'create', slot: 'content', body: { ...wanted, metadata } });
    expect(told.writes.slice(0, 2)).toEqual(['patch bucket status', 'create content']);
  },
);

/** The Bucket after it was said what is being done. */
function settleOnce(world: BindingWorld) {
  const { conditions } = (writeOf(decide(world, now)) as { body: { status: { conditions: never[] } } }).body.status;
  return bucket({ status: { phase: 'Pending', conditions } });
}

test('a static Bucket waits for nobody but for its Secret', () => {
  const start = { bucket: stage.fresh(bucket().metadata), bucketClass: classes.Static };
  const { writes, decision, world } = settle(decide, start);
  expect(writes).toEqual(['patch bucket', 'patch bucket status', 'create content', 'patch content status']);
  expect(summaryOf(decision)).toBe('wait AwaitingSecret');
  expect(world.bucket?.metadata.labels).toEqual({});
  expect(statusIn(world, 'content').phase).toBe('Ready');
});
