import { describe, expect, test } from '@jest/globals';
import type { BucketClass } from '../../../../../../lib/capabilities/buckets/objects.ts';
import { decide } from '../../../../../../lib/capabilities/buckets/steps/bind-bucket/decide.ts';
import { type BindingWorld, read } from '../../../../../../lib/capabilities/buckets/steps/bind-bucket/read.ts';
import type { Namespace } from '../../../../../../lib/kubernetes/objects.ts';
import { clusterOf } from '../../../cluster-of.ts';
import * as stage from '../../bucket-stages.ts';
import { testTable } from '../../bucket-table.ts';

const existing = { bucketIdentifier: 'payroll-2026', releasePolicy: 'Retain' } as const;
const madeAt = (seconds: number) => stage.before(seconds).replace(/\.\d+/, '');
const namespace = (ageSeconds: number): Namespace => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: 'prod', uid: 'uid-prod', creationTimestamp: madeAt(ageSeconds) },
});

/** A class of an hour ago. */
function classFor(namespaces: string, fields: Partial<BucketClass> = {}, more: object = {}): BucketClass {
  const annotations = { 'longshore.dev/namespaces': namespaces, ...more };
  const bucketClass = stage.bucketClass(fields);
  return { ...bucketClass, metadata: { ...bucketClass.metadata, annotations, creationTimestamp: madeAt(3_600) } };
}

const asked = (bucketClass: BucketClass, ageSeconds = 7_200): BindingWorld => ({
  bucket: stage.asked,
  bucketClass,
  namespace: namespace(ageSeconds),
});

/** Who wrote whom it is for has changed that, or something else: the server notes only when. */
function rewritten(bucketClass: BucketClass, key: string): BucketClass {
  const fieldsV1 = { 'f:metadata': { 'f:annotations': { [`f:${key}`]: {} } } };
  const managedFields = [{ manager: 'kubectl', operation: 'Update', time: madeAt(10), fieldsV1 }];
  return { ...bucketClass, metadata: { ...bucketClass.metadata, managedFields } as BucketClass['metadata'] };
}

const refused = {
  says: 'reject ClassNotForNamespace',
  on: 'bucket' as const,
  saying: 'can confirm it with the annotation longshore.dev/namespace-uids: uid-prod',
};
const served = { write: 'patch bucket', next: 'patch bucket status' };

describe('a class that says for which namespaces it is', () => {
  testTable<BindingWorld>(decide, [
    { situation: 'serves those', world: asked(classFor('team-*, prod')), ...served },
    {
      situation: 'serves no other',
      world: asked(classFor('production, team-*')),
      says: 'reject ClassNotForNamespace',
      on: 'bucket',
      saying: 'longshore.dev/namespaces',
    },
    { situation: 'and gives what is there serves those', world: asked(classFor('prod', existing)), ...served },
    {
      situation: 'and gives what is there serves no later namespace of that name',
      world: asked(classFor('prod', existing), 60),
      ...refused,
    },
    {
      situation: 'and hands out a Secret serves no later namespace of that name',
      world: asked({ ...classFor('prod'), ...stage.classes.Static, metadata: classFor('prod').metadata }, 60),
      ...refused,
    },
    {
      situation: 'serves a later namespace for which it was confirmed',
      world: asked(classFor('prod', existing, { 'longshore.dev/namespace-uids': 'uid-other, uid-prod' }), 60),
      ...served,
    },
    {
      situation: 'serves whoever has the name where it says so',
      world: asked(classFor('prod', existing, { 'longshore.dev/namespace-uids': '*' }), 60),
      ...served,
    },
    {
      situation: 'serves no later namespace because whoever wrote it has changed anything since',
      world: asked(rewritten(classFor('prod', existing), 'longshore.dev/namespaces'), 60),
      ...refused,
    },
    {
      situation: 'means by a pattern whoever has such a name',
      world: asked(classFor('pro*', existing), 60),
      ...served,
    },
    { situation: 'and makes new buckets has nothing to give away', world: asked(classFor('prod'), 60), ...served },
  ]);
});

describe('the namespace', () => {
  const key = { namespace: 'prod', name: 'photos' };
  const isRead = async (bucketClass: BucketClass, ...more: Parameters<typeof clusterOf>) => {
    const cluster = clusterOf(stage.bucket(), bucketClass, namespace(60), ...more);
    return (await read(cluster, key)).namespace !== undefined;
  };

  test('is read where a class gives what is there to it alone, and nothing has been made yet', async () => {
    expect(await isRead(classFor('prod', existing))).toBe(true);
    expect(await isRead(classFor('prod', existing), stage.content())).toBe(false);
    expect(await isRead(classFor('pro*', existing))).toBe(false);
    expect(await isRead(classFor('prod'))).toBe(false);
    expect(await isRead(stage.bucketClass(existing))).toBe(false);
  });
});
