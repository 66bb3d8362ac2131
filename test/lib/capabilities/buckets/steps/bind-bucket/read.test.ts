import { expect, test } from '@jest/globals';
import { read } from '../../../../../../lib/capabilities/buckets/steps/bind-bucket/read.ts';
import { clusterOf } from '../../../cluster-of.ts';
import * as stage from '../../bucket-stages.ts';

const key = { namespace: 'prod', name: 'photos' };
const all = [stage.bucketClass(), stage.registration()];

test('a Bucket leads to its class, its content, and the registration of a driver that is not heard of yet', async () => {
  const objects = { bucket: stage.bucket(), content: stage.content() };
  const world = await read(clusterOf(objects.bucket, objects.content, ...all), key);
  expect(world).toMatchObject({ ...objects, bucketClass: stage.bucketClass(), registration: stage.registration() });
  expect(world.settings?.buckets.isOn).toBe(true);
});

test('the registration is not read once the driver is heard of', async () => {
  const world = await read(clusterOf(stage.bucket(), stage.ready(), ...all), key);
  expect(world.registration).toBeUndefined();
});

test('a Bucket that goes needs nothing but its content', async () => {
  const bucket = stage.bucket(stage.deleting);
  const cluster = clusterOf(bucket, stage.content(), ...all);
  expect(await read(cluster, key)).toEqual({ bucket, content: stage.content() });
  expect(cluster.asked).toHaveLength(2);
});

test('a Bucket that is gone leads nowhere', async () => {
  expect(await read(clusterOf(stage.content()), key)).toEqual({});
});
