import { describe, expect, test } from '@jest/globals';
import type { Bucket } from '../../lib/capabilities/buckets/objects.ts';
import { bindBucket } from '../../lib/capabilities/buckets/steps/bind-bucket/step.ts';
import { copySecret } from '../../lib/capabilities/buckets/steps/copy-secret/step.ts';
import { matchTransfer } from '../../lib/capabilities/transfers/steps/match-transfer/step.ts';
import * as stage from '../lib/capabilities/buckets/bucket-stages.ts';
import { clusterOf } from '../lib/capabilities/cluster-of.ts';
import { settle } from '../lib/capabilities/table.ts';
import { approval, claim, request, volume } from '../support/builders.ts';

/** A user writes into the objects of their own what only Longshore ought to say, as far as somebody has let them. */

const key = { namespace: 'prod', name: 'photos' };
const others = stage.content({ metadata: { name: 'fast-of-somebody-else', uid: 'uid-else' } });

describe('a Bucket with a forged status', () => {
  const status = { phase: 'Bound', bucketContentName: 'fast-of-somebody-else', conditions: [stage.copied] } as const;
  const forged: Bucket = stage.bucket({ status: { ...status, conditions: [...status.conditions] } });

  test.each([bindBucket, copySecret])('leads $name to its own content, and to no other', async (step) => {
    const cluster = clusterOf(forged, others, stage.ready());
    await step.read(cluster, key, stage.now);
    const contents = cluster.asked.filter((path) => path.includes('bucketcontents'));
    expect(contents).toEqual([`/apis/cosi.io/v1alpha1/bucketcontents/${stage.contentName}`]);
  });

  test('gets no credentials before there is a content of its own', async () => {
    const cluster = clusterOf(forged, others, stage.source(stage.data));
    const world = await copySecret.read(cluster, key, stage.now);
    expect(cluster.asked.filter((path) => path.includes('secrets'))).toEqual([]);
    expect(copySecret.decide(world, stage.now)).toMatchObject({ do: 'wait' });
  });
});

test("a content that was made beforehand under a Bucket's name, with a Secret of somebody else's, gives nothing away", async () => {
  const secretRef = { namespace: 'kube-system', name: 'token' };
  const bucketRef = { namespace: 'prod', name: 'photos', uuid: 'uid-of-another-bucket' };
  const prepared = stage.ready({ spec: { secretRef, bucketRef } });
  const cluster = clusterOf(stage.bucket(), prepared);
  const world = await copySecret.read(cluster, key, stage.now);
  expect(cluster.asked.filter((path) => path.includes('secrets'))).toEqual([]);
  expect(copySecret.decide(world, stage.now)).toMatchObject({ do: 'wait', reason: 'NoCredentials' });
});

test('a request that says of itself that it is complete moves nothing', async () => {
  const conditions = [{ ...stage.copied, type: 'Complete' }];
  const forged = request({ status: { complete: true, conditions } });
  const cluster = clusterOf(forged, approval(), claim(), volume());
  const world = await matchTransfer.read(cluster, { namespace: 'stage', name: 'move' }, stage.now);
  const writes = settle(matchTransfer.decide, world).writes;
  expect(writes.filter((write) => !write.endsWith('status'))).toEqual([]);
});
