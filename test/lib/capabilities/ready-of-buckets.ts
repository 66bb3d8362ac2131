import type { Bucket, BucketContent } from '../../../lib/capabilities/buckets/objects.ts';
import * as binding from '../../../lib/capabilities/buckets/steps/bind-bucket/decide.ts';
import type { BindingWorld } from '../../../lib/capabilities/buckets/steps/bind-bucket/read.ts';
import * as copying from '../../../lib/capabilities/buckets/steps/copy-secret/decide.ts';
import type { CopyingWorld } from '../../../lib/capabilities/buckets/steps/copy-secret/read.ts';
import { namespace, settings } from '../../support/builders.ts';
import * as stage from './buckets/bucket-stages.ts';
import { settle } from './buckets/bucket-table.ts';
import type { Verdict } from './seen-as.ts';

/** A reason on an object, after the real steps have reported it; and that of `Ready`, where it is another one. */
export type Row = [reason: string, state: string, object: Bucket | BucketContent | undefined, Verdict, ready?: string];

const { asked, bucket, bucketClass, classes, content, data, deleting, source, target } = stage;
const bound = (world: BindingWorld) => settle(binding.decide, world).world.bucket;
const copied = (world: CopyingWorld) => settle(copying.decide, world).world.bucket;
const withContent = (status: BucketContent['status']) => bound({ bucket: bucket(), content: content({ status }) });
const inUse = bound({
  bucket: bucket({ status: { phase: 'Pending', conditions: [stage.copied] } }),
  content: stage.ready({ status: { phase: 'Ready' } }),
});
const ready: CopyingWorld = { bucket: inUse, content: stage.ready(), source: source(data), target: target() };
const strange = target({}, { ownerReferences: [], annotations: {} });
const takenFor = (seconds: number) => {
  const conditions = [stage.said('SecretReady', 'SecretExists', stage.before(seconds))];
  return { ...ready, bucket: bucket({ status: { conditions } }), target: strange };
};
const { AWS_SECRET_ACCESS_KEY: _, ...lessData } = data;
const lacking = copied({ ...ready, source: undefined });
const awaiting = bound({ bucket: lacking ?? asked, content: stage.ready({ status: { phase: 'Bound' } }) });
const forOne = bucketClass({
  ...{ bucketIdentifier: 'archive', releasePolicy: 'Retain' },
  metadata: {
    ...bucketClass().metadata,
    annotations: { 'longshore.dev/namespaces': 'prod' },
    creationTimestamp: '2026-01-15T00:00:00Z',
  },
});
const forOthers = bucketClass({
  metadata: { ...bucketClass().metadata, annotations: { 'longshore.dev/namespaces': 'other' } },
});
const another = { namespace: 'prod', name: 'photos', uuid: 'uid-of-another' };

export const ofBuckets: readonly Row[] = [
  ['ClassNotFound', 'there is no class', bound({ bucket: asked }), 'InProgress'],
  [
    'BucketsOff',
    'an administrator has switched buckets off',
    bound({ bucket: asked, bucketClass: classes.Greenfield, settings: settings('buckets') }),
    'InProgress',
  ],
  [
    'ClassNotForNamespace',
    'its class is for others',
    bound({ bucket: asked, bucketClass: forOthers, namespace: namespace('prod') }),
    'InProgress',
  ],
  [
    'ClassNotForNamespace',
    'its class is for an earlier namespace of the name',
    bound({
      bucket: asked,
      bucketClass: forOne,
      namespace: namespace('prod', { creationTimestamp: '2026-02-15T00:00:00Z', uid: 'uid-later' }),
    }),
    'InProgress',
  ],
  [
    'Invalid',
    'its class can never work',
    bound({ bucket: asked, bucketClass: bucketClass({ bucketIdentifier: 'archive' }) }),
    'Failed',
  ],
  ['Provisioning', 'the driver works', bound({ bucket: bucket(), bucketClass: bucketClass() }), 'InProgress'],
  ['DriverNotRegistered', 'no driver is there', bound({ bucket: bucket(), content: content() }), 'InProgress'],
  ['Waiting', 'the content waits', withContent({ message: 'not yet' }), 'InProgress'],
  ['Retrying', 'the store is down', withContent({ phase: 'Retrying', message: 'down' }), 'InProgress'],
  ['ProvisioningFailed', 'the driver has failed', withContent({ phase: 'Failed', message: 'x' }), 'Failed'],
  [
    'ContentTaken',
    'its content is another one’s',
    bound({ bucket: bucket(), content: content({ spec: { bucketRef: another } }) }),
    'Failed',
  ],
  [
    'ContentDeleted',
    'somebody has deleted its content',
    bound({ bucket: bucket(), content: stage.ready(deleting) }),
    'Failed',
  ],
  [
    'WriteRefused',
    'the server refuses its content',
    bound({ bucket: bucket(), bucketClass: bucketClass(), refused: { slot: 'content', message: 'quota' } }),
    'InProgress',
  ],
  [
    'WriteRefused',
    'the server refuses its Secret',
    copied({ ...ready, target: undefined, refused: { slot: 'target', message: 'quota' } }),
    'InProgress',
  ],
  [
    'Failed',
    'its binding was given up',
    settle<BindingWorld>((world, at) => binding.decideFailed(world, 'no answer', at), { bucket: bucket() }).world
      .bucket,
    'Failed',
  ],
  [
    'Failed',
    'its Secret was given up',
    settle<CopyingWorld>((world, at) => copying.decideFailed(world, 'no answer', at), { bucket: bucket() }).world
      .bucket,
    'Failed',
  ],
  ['SecretExists', 'another Secret has the name', copied({ ...ready, target: strange }), 'InProgress'],
  ['SecretExistsTimeout', 'another Secret has had it for long', copied(takenFor(700)), 'Failed'],
  ['CredentialsLost', 'new credentials are made', copied({ bucket: inUse, isLost: true }), 'InProgress'],
  ['SourceSecretMissing', 'there is nothing to copy', lacking, 'InProgress'],
  [
    'SourceSecretIncomplete',
    'a part is missing',
    copied({ ...ready, source: source(lessData), target: undefined }),
    'InProgress',
  ],
  ['AwaitingSecret', 'its Secret is missing', awaiting, 'InProgress', 'SourceSecretMissing'],
  [
    'AwaitingSecret',
    'its Secret is there again, and it has not been told',
    copied({ ...ready, bucket: awaiting }),
    'InProgress',
  ],
  ['Copied', 'it can be used', inUse, 'Current', 'Bound'],
  ['Bound', 'it can be used', inUse, 'Current'],
  [
    'Releasing',
    'it is being deleted',
    bound({
      bucket: bucket({ ...deleting, status: inUse?.status }),
      content: content({ ...deleting, status: { phase: 'Bound' } }),
    }),
    'Terminating',
  ],
];
