import { describe } from '@jest/globals';
import type { BucketContent } from '../../../../../../lib/capabilities/buckets/objects.ts';
import { decide } from '../../../../../../lib/capabilities/buckets/steps/bind-bucket/decide.ts';
import type { BindingWorld } from '../../../../../../lib/capabilities/buckets/steps/bind-bucket/read.ts';
import { settings } from '../../../../../support/builders.ts';
import * as stage from '../../bucket-stages.ts';
import { testTable } from '../../bucket-table.ts';

const { asked, bucket, bucketClass, classes, content, deleting } = stage;
const other = { namespace: 'prod', name: 'photos', uuid: 'uid-of-another' };
const withStatus = (status: BucketContent['status']): BindingWorld => ({
  bucket: bucket(),
  content: content({ status }),
});
const invalid = (fields: Parameters<typeof bucketClass>[0]): BindingWorld => ({
  bucket: asked,
  bucketClass: bucketClass(fields),
});
const prefixed = (bucketPrefix: string) => ({ ...asked, spec: { ...asked.spec, bucketPrefix } });

describe('a Bucket says', () => {
  testTable<BindingWorld>(decide, [
    {
      situation: 'that its class is missing',
      world: { bucket: asked },
      says: 'wait ClassNotFound',
      on: 'bucket',
      saying: 'BucketClass fast',
    },
    {
      situation: 'that buckets are off',
      world: { bucket: asked, bucketClass: classes.Greenfield, settings: settings('buckets') },
      says: 'wait BucketsOff',
      on: 'bucket',
    },
    {
      situation: 'that its class is for two flows',
      world: invalid({ bucketIdentifier: 'a', secretRef: { namespace: 'a', name: 'b' } }),
      says: 'reject Invalid',
      on: 'bucket',
      saying: 'both bucketIdentifier and secretRef',
    },
    {
      situation: 'that its class would delete a bucket that was there before',
      world: invalid({ bucketIdentifier: 'a' }),
      says: 'reject Invalid',
      on: 'bucket',
      saying: 'releasePolicy must be Retain',
    },
    {
      situation: 'that its class would delete what an administrator has made',
      world: invalid({ secretRef: { namespace: 'a', name: 'b' } }),
      says: 'reject Invalid',
      on: 'bucket',
      saying: 'releasePolicy must be Retain',
    },
    {
      situation: 'that its class names nobody',
      world: invalid({ provisioner: '' }),
      says: 'reject Invalid',
      on: 'bucket',
      saying: 'neither provisioner nor secretRef',
    },
    {
      situation: 'that its prefix is reserved',
      world: { bucket: prefixed('sthree-x'), bucketClass: classes.Greenfield },
      says: 'reject Invalid',
      on: 'bucket',
      saying: 'sthree-',
    },
    {
      situation: 'that its prefix has nothing legal in it',
      world: { bucket: prefixed('***'), bucketClass: classes.Greenfield },
      says: 'reject Invalid',
      on: 'bucket',
      saying: '"***"',
    },
    {
      situation: 'that its driver is not registered',
      world: { bucket: bucket(), content: content() },
      says: 'wait DriverNotRegistered',
      on: 'bucket',
      saying: 's3.example.com',
    },
    {
      situation: 'what its content waits for',
      world: withStatus({ message: 'not yet' }),
      says: 'wait Waiting',
      on: 'bucket',
      saying: 'not yet',
    },
    {
      situation: 'what is tried again',
      world: withStatus({ phase: 'Retrying', message: 'busy' }),
      says: 'wait Retrying',
      on: 'bucket',
      saying: 'busy',
    },
    {
      situation: 'what failed',
      world: withStatus({ phase: 'Failed', message: 'taken' }),
      says: 'reject ProvisioningFailed',
      on: 'bucket',
      saying: 'taken',
    },
    {
      situation: 'that another Bucket has its content',
      world: { bucket: bucket(), content: content({ spec: { bucketRef: other } }) },
      says: 'reject ContentTaken',
      on: 'bucket',
    },
    {
      situation: 'that its content was deleted',
      world: { bucket: bucket(), content: stage.ready(deleting) },
      says: 'reject ContentDeleted',
      on: 'bucket',
      saying: 'copy what you want to keep first',
    },
    {
      situation: 'that the server will not have its content',
      world: { bucket: bucket(), bucketClass: classes.Greenfield, refused: { slot: 'content', message: 'quota' } },
      says: 'reject WriteRefused',
      on: 'bucket',
      saying: 'the content cannot be written: quota',
    },
    {
      situation: 'nothing where its own status is refused',
      world: { bucket: bucket(), refused: { slot: 'bucket', message: 'no' } },
      answer: 'reject WriteRefused',
    },
  ]);
});
