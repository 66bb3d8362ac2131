import { isGone } from '../../../../kubernetes/gone.ts';
import { resources } from '../../../../kubernetes/resources.ts';
import { waitFor } from '../../../../reconcile/obstacle.ts';
import { patchStatus } from '../../../../reconcile/status.ts';
import type { Decision } from '../../../../reconcile/step.ts';
import { note, patch, remove } from '../../../../reconcile/writes.ts';
import { reportBucket } from '../../bucket-status.ts';
import { belongsTo, isHeld, withoutFinalizer } from '../../content.ts';
import { contentPart, reasonOf } from '../../content-status.ts';
import type { Bucket, BucketContent } from '../../objects.ts';
import type { BindingWorld } from './read.ts';

/** The content first, as its driver has to release everything in the store; then the Bucket itself. */
export function release({ content }: BindingWorld, bucket: Bucket, now: Date): Decision<BindingWorld> {
  if (!belongsTo(content, bucket) || isGone(content)) return releaseBucket(bucket);
  if (!content.metadata.deletionTimestamp) return remove(contentPart, content);
  if (content.status?.phase === 'Released') return dropContent(content);
  if (content.spec.flow === 'Static') return patchStatus(contentPart, content, { phase: 'Released' }, now);
  return awaitDriver(bucket, content, now);
}

function dropContent(content: BucketContent): Decision<BindingWorld> {
  if (!isHeld(content)) return waitFor('ContentHeld', 'the content is held by other finalizers');
  return patch(contentPart, content, { metadata: { finalizers: withoutFinalizer(content) } });
}

function releaseBucket(bucket: Bucket): Decision<BindingWorld> {
  const announce = [note(bucket, 'Released', 'its BucketContent is gone and no longer claims anything in the store')];
  const part = { slot: 'bucket', resource: resources.bucket } as const;
  return patch(part, bucket, { metadata: { finalizers: withoutFinalizer(bucket) } }, { announce });
}

function awaitDriver(bucket: Bucket, content: BucketContent, now: Date): Decision<BindingWorld> {
  const { spec, status } = content;
  const what = spec.releasePolicy === 'Delete' ? 'the bucket is being deleted' : 'access is being revoked';
  // Its message from before its deletion is outdated.
  const isOld = ['Provisioned', 'InUse'].includes(reasonOf(content) ?? '');
  const releasing = waitFor('Releasing', isOld ? what : (status?.message ?? what));
  const event = status?.phase === 'Failed' ? 'Warning' : 'Normal';
  return reportBucket(bucket, 'Bound', { ...releasing, event }, now) ?? releasing;
}
