import { resources } from '../../../../kubernetes/resources.ts';
import { reject, waitFor } from '../../../../reconcile/obstacle.ts';
import { lacksReady } from '../../../../reconcile/ready.ts';
import { patchStatus } from '../../../../reconcile/status.ts';
import type { Decision } from '../../../../reconcile/step.ts';
import { create, patch } from '../../../../reconcile/writes.ts';
import { type BucketReport, blockedBucket, conditionOf, reportBucket } from '../../bucket-status.ts';
import { belongsTo, contentFor, isHeld, withFinalizer } from '../../content.ts';
import { contentPart } from '../../content-status.ts';
import { measuredBound } from '../../measurements.ts';
import { labelsFor } from '../../names.ts';
import type { Bucket, BucketClass, BucketContent } from '../../objects.ts';
import type { BucketObstacle } from '../../reasons.ts';
import { usableClass } from './class-checks.ts';
import type { BindingWorld } from './read.ts';

const bucketPart = { slot: 'bucket', resource: resources.bucket } as const;

export function bind(world: BindingWorld, bucket: Bucket, now: Date): Decision<BindingWorld> {
  const { content } = world;
  if (!content) return begin(world, bucket, now);
  const { name } = content.metadata;
  if (!belongsTo(content, bucket)) {
    const message = `BucketContent ${name} belongs to another Bucket, so nothing is created for this one: create a Bucket with another name`;
    return blocked(bucket, reject('ContentTaken', message), now);
  }
  if (content.metadata.deletionTimestamp) {
    return blocked(bucket, reject('ContentDeleted', inUseYet(content)), now);
  }
  return follow(world, bucket, content, now);
}

/** The message says what happens to the data if the Bucket is deleted, and advises no one to delete it. */
function inUseYet({ metadata, spec }: BucketContent): string {
  const said = `BucketContent ${metadata.name} is being deleted, and stays in use as long as this Bucket exists`;
  return spec.releasePolicy === 'Delete'
    ? `${said}. Deleting this Bucket deletes the bucket with all its contents: copy what you want to keep first`
    : `${said}. Deleting this Bucket revokes access, and the bucket stays`;
}

/** Nothing is created before the Bucket is held: its deletion must not be missed. */
function begin({ bucketClass, settings, namespace }: BindingWorld, bucket: Bucket, now: Date): Decision<BindingWorld> {
  if (settings && !settings.buckets.isOn) return blocked(bucket, waitFor('BucketsOff', settings.buckets.reason), now);
  const usable = usableClass(bucketClass, bucket, namespace);
  if ('do' in usable) return blocked(bucket, usable, now);
  const { bucketClass: found, flow } = usable;
  if (!isHeld(bucket)) return hold(bucket, labelsFor(found.provisioner));
  return (
    reportBucket(bucket, 'Bound', provisioning(found), now) ?? create(contentPart, contentFor(bucket, found, flow))
  );
}

function hold(bucket: Bucket, labels: Record<string, string>): Decision<BindingWorld> {
  return patch(bucketPart, bucket, { metadata: { finalizers: withFinalizer(bucket), labels } });
}

function provisioning({ provisioner, metadata }: BucketClass): BucketReport {
  const by = provisioner ? `by ${provisioner}` : 'from a Secret provided by an administrator';
  return { reason: 'Provisioning', message: `provisioned ${by}, as defined by class ${metadata.name}` };
}

/** Waits for the driver, then for the credentials to be in the Bucket's namespace; then binds both sides. */
function follow(world: BindingWorld, bucket: Bucket, content: BucketContent, now: Date): Decision<BindingWorld> {
  const { phase } = content.status ?? {};
  // Someone has removed our finalizer from a Bucket that is in use: its deletion would be missed.
  if (!isHeld(bucket)) return hold(bucket, labelsFor(content.spec.provisioner));
  if (phase === 'Bound' && lacksReady(content)) return patchStatus(contentPart, content, {}, now);
  if (phase === 'Bound') return isCopied(bucket) ? bound(bucket, content, now) : awaitSecret(bucket, now);
  if (phase === 'Ready') {
    return isCopied(bucket)
      ? patchStatus(contentPart, content, { phase: 'Bound', message: null }, now)
      : awaitSecret(bucket, now);
  }
  // No driver serves a static bucket: the administrator has created everything already.
  if (content.spec.flow === 'Static') return patchStatus(contentPart, content, { phase: 'Ready' }, now);
  return awaitDriver(world, bucket, content, now);
}

function isCopied(bucket: Bucket): boolean {
  return conditionOf(bucket, 'SecretReady')?.status === 'True';
}

function awaitSecret(bucket: Bucket, now: Date): Decision<BindingWorld> {
  const problem = conditionOf(bucket, 'SecretReady');
  // A wait of moments is not worth a write, which would conflict with the one that ends it.
  return problem
    ? blocked(bucket, waitFor('AwaitingSecret', problem.message), now)
    : waitFor('AwaitingSecret', `bucket and credentials exist; Secret ${bucket.spec.secretName} is next`);
}

function awaitDriver(
  { registration, answered = [] }: BindingWorld,
  bucket: Bucket,
  content: BucketContent,
  now: Date,
): Decision<BindingWorld> {
  const { provisioner = '' } = content.spec;
  const { phase, message = '' } = content.status ?? {};
  if (phase === 'Failed') return blocked(bucket, reject('ProvisioningFailed', message), now);
  if (phase) return blocked(bucket, waitFor('Retrying', message), now);
  if (message) return blocked(bucket, waitFor('Waiting', message), now);
  // A run that has just created the content has not read its driver's registration yet; the driver's first write causes
  // the next message.
  if (registration || answered.includes('content')) {
    return waitFor('Provisioning', `driver ${provisioner} is working`);
  }
  const unknown = `no driver ${provisioner} is registered: check the class's provisioner against kubectl get cosiregistrations`;
  return blocked(bucket, waitFor('DriverNotRegistered', unknown), now);
}

function bound(bucket: Bucket, { metadata, spec }: BucketContent, now: Date): Decision<BindingWorld> {
  const message = `bucket ${spec.bucketIdentifier ?? 'of the administrator'} is ready for use with Secret ${bucket.spec.secretName}`;
  const status = { phase: 'Bound', bucketContentName: metadata.name };
  const isNew = bucket.status?.phase !== 'Bound';
  const measure = isNew ? measuredBound(bucket, spec.flow, now) : [];
  return (
    reportBucket(bucket, 'Bound', { reason: 'Bound', message, measure, status }, now) ?? { do: 'done', reason: 'Bound' }
  );
}

function blocked(bucket: Bucket, obstacle: BucketObstacle, now: Date): Decision<BindingWorld> {
  return blockedBucket(bucket, 'Bound', obstacle, now);
}
