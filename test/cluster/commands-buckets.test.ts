import { expect, test } from '@jest/globals';
import { testClient, testKubeconfig } from './administrator.ts';
import { planBucket, runBuckets } from './case-buckets.ts';
import { people } from './case-commands.ts';

const client = testClient();
const { driver } = runBuckets();
const persons = people(() => client, testKubeconfig);

test('a bucket is had, looked at and given back by somebody who may read neither classes nor contents', async () => {
  const { namespace, bucketClass, bucket } = planBucket({ provisioner: driver, releasePolicy: 'Delete' });
  await client.createNamespace(namespace);
  const person = await persons.in(namespace);
  const className = bucketClass.metadata.name;
  const given = ['bucket', 'create', 'photos', '--class', className, '-n', namespace];

  const early = persons.call(person, ...given, '--wait', '--timeout', '10m');
  await early.says('ClassNotFound: ');
  const waiting = persons.call(person, 'pending', '-n', namespace);
  expect([await waiting.code(), waiting.out]).toEqual([3, expect.stringContaining('bucket/photos')]);
  await client.create(bucketClass);
  expect([await early.code(), early.out]).toEqual([0, expect.stringContaining('name: "photos-access"')]);

  const seen = persons.call(person, 'bucket', 'get', '-n', namespace);
  expect([await seen.code(), seen.out]).toEqual([
    0,
    expect.stringMatching(/photos +class-\w+ +Bound +photos-access +-/),
  ]);
  const unsure = persons.call(person, 'bucket', 'delete', 'photos', '-n', namespace);
  expect([await unsure.code(), unsure.err]).toEqual([1, expect.stringContaining('may be destroyed')]);
  const gone = persons.call(person, 'bucket', 'delete', 'photos', '-n', namespace, '--yes', '--wait');
  expect([await gone.code(), gone.out]).toEqual([0, expect.stringContaining('is gone.')]);
  expect(await client.get(bucket)).toBeUndefined();
});
