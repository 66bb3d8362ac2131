import { expect, test } from '@jest/globals';
import { bucketFor, createIn } from '../../../cli/bucket/create.ts';
import { deleteIn } from '../../../cli/bucket/delete.ts';
import { getIn } from '../../../cli/bucket/get.ts';
import type { Bucket } from '../../../lib/capabilities/buckets/objects.ts';
import { FakeCluster, workIn } from './fake-cluster.ts';

const wish = { name: 'photos', className: 'standard', secretName: 'photos-access' };
const bucket = bucketFor('team-a', wish);
const lastTransitionTime = '2026-11-20T00:00:00Z';

function classOf(releasePolicy: 'Delete' | 'Retain', creationTimestamp: string) {
  const metadata = { name: 'standard', creationTimestamp };
  return { apiVersion: 'cosi.io/v1alpha1', kind: 'BucketClass', metadata, releasePolicy };
}

function saying(type: string, status: 'True' | 'False', reason: string, message = ''): Bucket {
  const condition = { type, status, reason, message, lastTransitionTime };
  return { ...bucket, status: { phase: 'Pending', conditions: [condition] } };
}

test('a bucket is created with its Secret, whose use is shown; once more it is the same', async () => {
  const cluster = new FakeCluster();
  const { work, told } = workIn(cluster);
  expect(await createIn(work, wish, { class: 'standard' })).toBe(0);
  expect(cluster.get(bucket)).toMatchObject({ spec: { bucketClassName: 'standard', secretName: 'photos-access' } });
  expect(told.out.join('\n')).toContain('  envFrom:\n    - secretRef: { name: "photos-access" }');
  expect(await createIn(work, wish, { class: 'standard' })).toBe(0);
  await expect(createIn(work, { ...wish, className: 'other' }, { class: 'other' })).rejects.toThrow('is left as it is');
});

test('waiting ends when the Secret can be used, and says what is missing until then', async () => {
  const cluster = new FakeCluster();
  const { work, told } = workIn(cluster, {
    meanwhile: (times) => {
      const metadata = { ...bucket.metadata, uid: cluster.get(bucket)?.metadata.uid ?? '' };
      const made = saying('SecretReady', 'True', 'Copied');
      const usable = { ...made, status: { ...made.status, phase: 'Bound' as const } };
      cluster.put({ ...(times < 3 ? saying('Bound', 'False', 'ClassNotFound', 'no such class') : usable), metadata });
    },
  });
  expect(await createIn(work, wish, { class: 'standard', wait: true })).toBe(0);
  expect(told.err).toEqual(['ClassNotFound: no such class']);
  expect(told.out.at(-1)).toContain('Bucket team-a/photos can be used.');
});

test.each([
  ['Delete', '2026-11-19T00:00:00Z', 'ALL DATA in the bucket is destroyed with it'],
  ['Retain', '2026-11-19T00:00:00Z', 'The bucket in the store stays'],
  // Another class of that name may have been there when the Bucket was created.
  ['Retain', '2026-11-21T00:00:00Z', 'ALL DATA in the bucket may be destroyed with it'],
] as const)('with a class that says %s, of %s, it is told: %s', async (policy, time, fate) => {
  const cluster = new FakeCluster(bucket, classOf(policy, time));
  const { work, told } = workIn(cluster, { answer: false });
  expect(await deleteIn(work, 'photos', {})).toBe(1);
  expect(told.questions[0]).toContain(fate);
  expect(cluster.get(bucket)).toBeDefined();
});

test('only the Bucket that was shown is deleted', async () => {
  const cluster = new FakeCluster(bucket);
  const { work } = workIn(cluster);
  work.user.confirm = async () => {
    cluster.put(bucket);
    return true;
  };
  await expect(deleteIn(work, 'photos', {})).rejects.toThrow('nothing was done');
  expect(cluster.get(bucket)).toBeDefined();
});

test('get shows what each waits for, and for programs everything', async () => {
  const { work, told } = workIn(new FakeCluster(saying('Bound', 'False', 'ClassNotFound', 'no such class')));
  expect(await getIn(work, undefined, { output: 'wide' })).toBe(0);
  expect(told.out[0]).toMatch(
    /^NAME +CLASS +PHASE +SECRET +WAITING ON +AGE +CONTENT +MESSAGE\nphotos +standard +Pending/,
  );
  expect(told.out[0]).toContain('no such class');
  expect(await getIn(work, 'photos', { output: 'name' })).toBe(0);
  expect(told.out[1]).toBe('bucket/photos');
  await expect(getIn(work, 'films', {})).rejects.toThrow('there is no Bucket team-a/films');
});
