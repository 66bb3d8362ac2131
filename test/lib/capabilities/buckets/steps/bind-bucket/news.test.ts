import { describe, expect, test } from '@jest/globals';
import type { BucketContent } from '../../../../../../lib/capabilities/buckets/objects.ts';
import { decide, decideFailed } from '../../../../../../lib/capabilities/buckets/steps/bind-bucket/decide.ts';
import type { BindingWorld } from '../../../../../../lib/capabilities/buckets/steps/bind-bucket/read.ts';
import * as stage from '../../bucket-stages.ts';
import { settle, statusIn, summaryOf, writeOf } from '../../bucket-table.ts';

const { asked, bucket, bucketClass, classes, content, now, deleting } = stage;
const withStatus = (status: BucketContent['status']): BindingWorld => ({
  bucket: bucket(),
  content: content({ status }),
});
const invalid = (fields: Parameters<typeof bucketClass>[0]): BindingWorld => ({
  bucket: asked,
  bucketClass: bucketClass(fields),
});
const prefixed = (bucketPrefix: string) => ({ ...asked, spec: { ...asked.spec, bucketPrefix } });

test.each(['sthree-', 'xn--', 'amzn-s3-demo-'])(
  'a prefix that begins with %s is no matter where no bucket is made',
  (prefix) => {
    expect(summaryOf(decide({ bucket: prefixed(prefix), bucketClass: classes.Brownfield }, now))).toBe('patch bucket');
  },
);

test('a Bucket in trouble is not held, so that it can be deleted at once', () => {
  expect(settle(decide, invalid({ provisioner: '' })).world.bucket?.metadata.finalizers).toBeUndefined();
});

describe('what is news', () => {
  const announcedBy = (world: BindingWorld) =>
    writeOf(decide(world, now)).announce?.map(({ type, reason }) => `${type} ${reason}`);

  test('is a problem that somebody has to look at', () => {
    expect(announcedBy({ bucket: asked })).toEqual(['Warning ClassNotFound']);
  });

  test('is that a Bucket is bound', () => {
    const bound = {
      bucket: bucket({ status: { conditions: [stage.copied] } }),
      content: content({ status: { phase: 'Bound' } }),
    };
    expect(announcedBy(bound)).toEqual(['Normal Bound']);
  });

  test('is not that there is more of the same progress', () => {
    const was = { ...stage.said('Bound', 'Releasing'), message: '1 object is gone' };
    const going = { ...bucket({ metadata: { ...deleting.metadata }, status: { conditions: [was] } }) };
    expect(
      announcedBy({ bucket: going, content: content({ ...deleting, status: { message: '2 objects are gone' } }) }),
    ).toEqual([]);
  });
});

describe('the last failure', () => {
  const failed = (world: BindingWorld, at: Date) => decideFailed(world, 'denied', at);

  test('is told on a Bucket that is not bound, once', () => {
    const { world, writes, decision } = settle(failed, { bucket: bucket() });
    expect([writes, summaryOf(decision)]).toEqual([['patch bucket status'], 'reject Failed']);
    expect(statusIn(world, 'bucket').conditions).toMatchObject([{ type: 'Bound', status: 'False', message: 'denied' }]);
  });

  test('is not told over the word that a Bucket is bound', () => {
    expect(summaryOf(decideFailed({ bucket: bucket({ status: { phase: 'Bound' } }) }, 'denied', now))).toBe(
      'reject Failed',
    );
  });

  test('of a Bucket that is gone is told nobody', () => {
    expect(summaryOf(decideFailed({}, 'denied', now))).toBe('reject Failed');
  });
});

test('a condition keeps the time of its status while only its reason changes', () => {
  const waiting = bucket({ status: { conditions: [stage.said('Bound', 'Provisioning', stage.startedAt)] } });
  const { world } = settle(decide, { ...withStatus({ phase: 'Retrying', message: 'busy' }), bucket: waiting });
  expect(statusIn(world, 'bucket').conditions).toMatchObject([
    { reason: 'Retrying', lastTransitionTime: stage.startedAt },
  ]);
});
