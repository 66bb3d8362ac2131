import { describe, expect, test } from '@jest/globals';
import type { BucketClass } from '../../../../../../lib/capabilities/buckets/objects.ts';
import { bucketName, bucketOf, className, classOf, play } from './play.ts';
import { by, driverRole, made } from './samples.ts';

const model = classOf('existing', {
  provisioner: 's3.longshore.dev',
  accessMode: 'ro',
  supportedProtocols: ['s3'],
  releasePolicy: 'Delete',
  parameters: { region: 'eu-central-1', versioning: 'true', expireDays: '30' },
});
const marks = {
  'longshore.dev/requested-at': '2026-11-18T14:55:00.000Z',
  'longshore.dev/requested-by': 'aws.s3',
  'longshore.dev/requested-from': '111122223333',
  'longshore.dev/request': 'event-1',
};
const later = made('data-1', {}, { id: 'event-2' });

async function playWith(...classes: BucketClass[]) {
  const playing = play();
  for (const each of classes) await playing.cluster.create(className(each.metadata.name), each);
  return playing;
}

describe('a bucket that somebody made', () => {
  test('gets a class after its model, which keeps it, and a Bucket', async () => {
    const { cluster, said, deliver } = await playWith(model);
    expect(await deliver([made('data-1')])).toEqual([]);
    const { metadata, apiVersion: _, kind: __, ...fields } = cluster.read(className('existing-data-1')) ?? model;
    expect(metadata.annotations).toEqual({ ...marks, 'longshore.dev/namespaces': 'team-a' });
    expect(fields).toEqual({
      provisioner: 's3.longshore.dev',
      accessMode: 'ro',
      supportedProtocols: ['s3'],
      parameters: { region: 'eu-central-1' },
      bucketIdentifier: 'data-1',
      releasePolicy: 'Retain',
    });
    const bucket = cluster.read(bucketName('data-1'));
    expect(bucket?.metadata.annotations).toEqual(marks);
    expect(bucket?.spec).toEqual({ bucketClassName: 'existing-data-1', secretName: 'data-1-credentials' });
    expect(said.measured.map(({ dimensions }) => dimensions)).toEqual([{ Cluster: 'main', Request: 'adopt' }]);
  });

  test('needs no other class when the one that is named is for it', async () => {
    const { cluster, deliver } = await playWith({ ...model, bucketIdentifier: 'data-1' });
    expect(await deliver([made('data-1')])).toEqual([]);
    expect(cluster.read(bucketName('data-1'))?.spec.bucketClassName).toBe('existing');
    expect(cluster.read(className('existing-data-1'))).toBeUndefined();
  });

  test('is adopted once, however often it is told, or made', async () => {
    const { cluster, said, deliver } = await playWith(model);
    await deliver([made('data-1')]);
    const before = cluster.changes.length;
    expect(await deliver([made('data-1'), later])).toEqual([]);
    expect([cluster.changes.length, said.buried]).toEqual([before, []]);
  });

  test('is adopted to the end after a run that broke off when only the class was made', async () => {
    const own = classOf('existing-data-1', { bucketIdentifier: 'data-1', provisioner: 's3.longshore.dev' });
    const { cluster, deliver } = await playWith(model, own);
    expect(await deliver([made('data-1')])).toEqual([]);
    expect(cluster.read(bucketName('data-1'))?.spec.bucketClassName).toBe('existing-data-1');
  });

  test.each([
    ['no adoption is for it', made('logs')],
    ['our own driver made it', made('data-1', { userIdentity: by(driverRole) })],
    ['it was not made after all', made('data-1', { errorCode: 'AccessDenied' })],
  ])('is passed over without a word when %s', async (_, body) => {
    const { cluster, said, deliver } = await playWith(model);
    expect(await deliver([body])).toEqual([]);
    expect([cluster.changes.length, said.buried, said.errors, said.measured]).toEqual([1, [], [], []]);
    expect(said.passedOver).toHaveLength(1);
  });
});

describe('it is refused, and nothing is made', () => {
  const secretRef = { namespace: 'longshore-system', name: 'keys' };
  const taken = 'Bucket team-a/data-1 was not created for an event: choose another name';
  test.each<[string, string, BucketClass[]]>([
    ['there is no BucketClass existing: create it, and move this message back to its queue', 'without the class', []],
    [
      'BucketClass existing is for bucket data-2, not for data-1',
      "with another bucket's class",
      [{ ...model, bucketIdentifier: 'data-2' }],
    ],
    [
      'BucketClass existing has no provisioner that could grant access to bucket data-1: name another class',
      'with a class that hands out a Secret',
      [classOf('existing', { secretRef })],
    ],
    [
      'BucketClass existing-data-1 already exists, but is not for bucket data-1 in namespace team-a: name another class',
      'when the name of its class is taken',
      [model, classOf('existing-data-1', { provisioner: 's3.longshore.dev' })],
    ],
  ])('%s (%s)', async (reason, _, classes) => {
    const { cluster, said, deliver } = await playWith(...classes);
    expect(await deliver([made('data-1')])).toEqual([]);
    expect(said.buried).toMatchObject([{ body: made('data-1'), reason, messageId: 'message-0' }]);
    expect(cluster.changes).toHaveLength(classes.length);
  });

  test(taken, async () => {
    const { cluster, said, deliver } = await playWith(model);
    await cluster.create(bucketName('data-1'), bucketOf('data-1'));
    expect(await deliver([made('data-1')])).toEqual([]);
    expect(said.buried[0]?.reason).toBe(taken);
    expect(cluster.read(className('existing-data-1'))).toBeUndefined();
  });
});
