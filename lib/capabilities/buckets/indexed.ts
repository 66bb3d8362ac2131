import type { Uid } from '../../kubernetes/brands.ts';
import { displayName } from '../../kubernetes/resources.ts';
import { lacksReady, readyConditionOf } from '../../reconcile/ready.ts';
import { conditionOf } from './bucket-status.ts';
import { isHeld } from './content.ts';
import { contentNameOf, systemNamespace } from './names.ts';
import type { Bucket, BucketContent } from './objects.ts';

/** The parts of a Bucket that lead to other keys, or show if there is work to do for it. Names only. */
export interface IndexedBucket {
  uid: Uid;
  secret: string;
  contentName: string;
  bucketClass: string;
  isBound: boolean;
  /** Bound, and its Secret has the credentials. */
  isReady: boolean;
  /** Its Secret has the credentials, as far as the last look at it showed. */
  isCopied: boolean;
  isGoing: boolean;
  /** Its credentials are needed, and are missing where the driver keeps them. */
  lacksSource: boolean;
  isHeld: boolean;
  /** The state that matters to its binding, without what binding itself writes. */
  signature: string;
}

export function indexedBucket(bucket: Bucket): IndexedBucket {
  const { metadata, spec, status } = bucket;
  const secretReady = conditionOf(bucket, 'SecretReady');
  const lacksSource = secretReady?.reason === 'SourceSecretMissing';
  const { uid = '', deletionTimestamp } = metadata;
  return {
    uid,
    secret: displayName({ namespace: metadata.namespace ?? '', name: spec.secretName }),
    contentName: contentNameOf(bucket),
    bucketClass: spec.bucketClassName,
    isBound: status?.phase === 'Bound' && conditionOf(bucket, 'Bound')?.status === 'True',
    isReady: readyConditionOf(bucket)?.status === 'True',
    isCopied: secretReady?.status === 'True',
    isGoing: deletionTimestamp !== undefined,
    lacksSource,
    isHeld: isHeld(bucket),
    signature: JSON.stringify([uid, deletionTimestamp, secretReady?.status, secretReady?.reason]),
  };
}

/** The parts of a content that lead to other keys. */
export interface IndexedContent {
  uid: Uid;
  bucket: string;
  bucketUid: Uid;
  provisioner: string | undefined;
  secret: string | undefined;
  hasCredentials: boolean;
  /** It had credentials, which are being recreated. */
  isLost: boolean;
  /** Bound to its Bucket, and reported as ready. */
  isBound: boolean;
  /** The administrator's Secret that its driver uses. */
  driverSecret: string | undefined;
  isGoing: boolean;
  /** The bucket's name in the store. */
  identifier: string | undefined;
  /** Nothing in the store belongs to it any more. */
  isReleased: boolean;
  /** The state that matters to its provisioning, without our own marks. */
  forProvisioning: string;
  /** The state that matters to its binding: none, until something is reported. */
  forBinding: string;
}

export function indexedContent(content: BucketContent): IndexedContent {
  const { metadata, spec, status = {} } = content;
  const { phase, message, emptied } = status;
  const { uid = '', deletionTimestamp, finalizers = [] } = metadata;
  const isGoing = deletionTimestamp !== undefined;
  const held = [...finalizers].sort();
  return {
    uid,
    bucket: displayName(spec.bucketRef),
    bucketUid: spec.bucketRef.uuid,
    provisioner: spec.provisioner,
    secret: spec.secretRef && displayName(spec.secretRef),
    // Also while it is being deleted: it is in use until its Bucket is gone.
    hasCredentials: phase === 'Ready' || phase === 'Bound',
    isLost: !isGoing && (phase === 'Retrying' || phase === 'Failed') && spec.secretRef !== undefined,
    isBound: !isGoing && phase === 'Bound' && !lacksReady(content),
    driverSecret: driverSecretOf(spec),
    isGoing,
    identifier: spec.bucketIdentifier,
    isReleased: phase === 'Released',
    forProvisioning: JSON.stringify([uid, deletionTimestamp, emptied, phase === 'Released', held]),
    // The step that binds a content continues without a message.
    forBinding: JSON.stringify([phase === 'Bound' ? 'Ready' : phase, message]),
  };
}

function driverSecretOf({ parameters }: BucketContent['spec']): string | undefined {
  const name = parameters?.driverSecretName;
  return name && displayName({ namespace: systemNamespace, name });
}

/** As for a content that has reported nothing yet. */
export const silent = JSON.stringify([undefined, undefined]);
