import type { Secret } from '../../../../kubernetes/objects.ts';
import { resources } from '../../../../kubernetes/resources.ts';
import { reject, waitFor } from '../../../../reconcile/obstacle.ts';
import type { Decision } from '../../../../reconcile/step.ts';
import { create, note, patch } from '../../../../reconcile/writes.ts';
import { blockedBucket, conditionOf, reportBucket } from '../../bucket-status.ts';
import type { Bucket, BucketContent } from '../../objects.ts';
import type { BucketObstacle } from '../../reasons.ts';
import { dataPatch, isOwned, isReferring, keysMissingIn, userSecretFor } from '../../secrets.ts';
import type { CopyingWorld } from './read.ts';

const part = { slot: 'target', resource: resources.secret } as const;
/** A name that is in use may become free for this long, before the Bucket reports the conflict as permanent. */
const collisionTimeoutMs = 10 * 60_000;

export function decide(world: CopyingWorld, now: Date): Decision<CopyingWorld> {
  const { bucket, content, source, target, refused } = world;
  if (!bucket || bucket.metadata.deletionTimestamp) return { do: 'done', reason: 'BucketGone' };
  if (!content) return awaitCredentials(world, bucket, now);
  if (refused) return refuse(bucket, refused.slot, refused.message, now);
  if (!source?.data || Object.keys(source.data).length === 0) return awaitSource(bucket, content, now);
  const lacking = keysMissingIn(source, content);
  if (lacking.length > 0) return awaitKeys(bucket, content, lacking, now);
  if (target && !isOwned(target, bucket)) return collide(bucket, now);
  const wanted = userSecretFor(bucket, content, source.data);
  if (!target) return create(part, wanted);
  return repair(bucket, target, wanted) ?? copied(bucket, now);
}

export function decideFailed({ bucket, target }: CopyingWorld, message: string, now: Date): Decision<CopyingWorld> {
  const isReady = target !== undefined && bucket && conditionOf(bucket, 'SecretReady')?.status === 'True';
  const failed = reject('Failed', message);
  return bucket && !isReady ? blocked(bucket, failed, now) : failed;
}

/** Reverts changes that others made to our own Secret. */
function repair(bucket: Bucket, target: Secret, wanted: Secret): Decision<CopyingWorld> | undefined {
  const data = dataPatch(target.data, wanted.data ?? {});
  const isReferred = isReferring(target, bucket.metadata.uid ?? '');
  const labels = missing(target.metadata.labels, wanted.metadata.labels);
  const annotations = missing(target.metadata.annotations, wanted.metadata.annotations);
  if (!data && isReferred && !labels && !annotations) return undefined;
  const metadata = {
    ...(labels ? { labels } : {}),
    ...(annotations ? { annotations } : {}),
    ...(isReferred ? {} : { ownerReferences: ownersOf(target, wanted) }),
  };
  const body = { metadata, ...(data ? { data } : {}) };
  const message = `Secret ${target.metadata.name} was corrected`;
  return patch(part, target, body, { announce: [note(bucket, 'SecretRepaired', message)] });
}

/** Other owners stay: the Secret exists as long as any of them. */
function ownersOf(target: Secret, wanted: Secret) {
  const others = target.metadata.ownerReferences ?? [];
  const ours = wanted.metadata.ownerReferences ?? [];
  // The API server allows one controller, and the Secret is deleted with the Bucket in any case.
  const hasController = others.some(({ controller }) => controller === true);
  return [...others, ...ours.map((owner) => (hasController ? { ...owner, controller: false } : owner))];
}

function missing(present: Record<string, string> = {}, wanted: Record<string, string> = {}) {
  const found = Object.entries(wanted).filter(([key, value]) => present[key] !== value);
  return found.length > 0 ? Object.fromEntries(found) : undefined;
}

function copied(bucket: Bucket, now: Date): Decision<CopyingWorld> {
  const message = `Secret ${bucket.spec.secretName} has the credentials`;
  const report = reportBucket(bucket, 'SecretReady', { reason: 'Copied', message }, now);
  return report ?? { do: 'done', reason: 'Copied' };
}

/** The workload's credentials are invalid, or soon will be: no one may mistake them for the new ones. */
function awaitCredentials({ isLost = false }: CopyingWorld, bucket: Bucket, now: Date): Decision<CopyingWorld> {
  const isReported = conditionOf(bucket, 'SecretReady')?.status !== 'True';
  return isLost && !isReported
    ? blocked(bucket, waitFor('CredentialsLost', 'the driver is creating the credentials again'), now)
    : waitFor('NoCredentials', 'there are no credentials at the moment');
}

function awaitSource(bucket: Bucket, { metadata, spec }: BucketContent, now: Date): Decision<CopyingWorld> {
  const { namespace, name } = spec.secretRef ?? {};
  const next = metadata.deletionTimestamp
    ? `and is not created again, because BucketContent ${metadata.name} is being deleted. The copied credentials stay`
    : 'it will be created again';
  const message =
    spec.flow === 'Static'
      ? `the Secret that BucketClass ${spec.bucketClassName} names does not exist or is empty: ask the administrator of the class to create it`
      : `the driver's Secret ${namespace}/${name} does not exist; ${next}`;
  return blocked(bucket, waitFor('SourceSecretMissing', message), now);
}

/** The workload's own copy may still have the keys that someone has removed from the driver's: it is left unchanged. */
function awaitKeys(bucket: Bucket, { spec }: BucketContent, lacking: string[], now: Date): Decision<CopyingWorld> {
  const { namespace, name } = spec.secretRef ?? {};
  const said = `the driver's Secret ${namespace}/${name} lacks ${lacking.join(', ')}. The copied credentials stay`;
  const message = `${said}. An administrator can restore what is missing, or have new credentials created: longshore explain SourceSecretIncomplete says how`;
  return blocked(bucket, waitFor('SourceSecretIncomplete', message), now);
}

/** A foreign Secret is never overwritten: its name may become free, for a while. */
function collide(bucket: Bucket, now: Date): Decision<CopyingWorld> {
  const { secretName } = bucket.spec;
  const before = conditionOf(bucket, 'SecretReady');
  const isTimedOut = before?.reason === 'SecretExistsTimeout';
  const isOverdue =
    before?.reason === 'SecretExists' && now.getTime() - Date.parse(before.lastTransitionTime) > collisionTimeoutMs;
  const free = 'this Bucket continues when the name is free, and another Bucket can use another secretName';
  const said = `Secret ${secretName} exists and does not belong to this Bucket, so it is left unchanged: ${free}`;
  return isTimedOut || isOverdue
    ? blocked(bucket, reject('SecretExistsTimeout', `${said} (not free for 10 minutes)`), now)
    : blocked(bucket, waitFor('SecretExists', said), now);
}

function refuse(bucket: Bucket, slot: string, text: string, now: Date): Decision<CopyingWorld> {
  const refused = reject('WriteRefused', `Secret ${bucket.spec.secretName} cannot be written: ${text}`);
  return slot === 'bucket' ? refused : blocked(bucket, refused, now);
}

function blocked(bucket: Bucket, obstacle: BucketObstacle, now: Date): Decision<CopyingWorld> {
  return blockedBucket(bucket, 'SecretReady', obstacle, now);
}
