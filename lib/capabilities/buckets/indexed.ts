import type { Uid } from '../../kubernetes/brands.ts';
import { displayName } from '../../kubernetes/resources.ts';
import { conditionOf } from './bucket-status.ts';
import { isHeld } from './content.ts';
import { systemNamespace } from './names.ts';
import type { Bucket, BucketContent } from './objects.ts';

/** What of a Bucket leads to other keys, or tells whether anything is to be done for it. Names, and nothing else. */
export interface IndexedBucket {
  uid: Uid;
  secret: string;
  bucketClass: string;
  /** Bound by all that is said of it. */
  isBound: boolean;
  /** Its credentials are wanted, and are not where the driver keeps them. */
  lacksSource: boolean;
  isHeld: boolean;
  /** What matters to its binding, without what binding itself writes. */
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
    bucketClass: spec.bucketClassName,
    isBound: status?.phase === 'Bound' && conditionOf(bucket, 'Bound')?.status === 'True',
    lacksSource,
    isHeld: isHeld(bucket),
    signature: JSON.stringify([uid, deletionTimestamp, secretReady?.status, secretReady?.reason]),
  };
}

/** What of a content leads to other keys. */
export interface IndexedContent {
  uid: Uid;
  bucket: string;
  bucketUid: Uid;
  provisioner: string | undefined;
  secret: string | undefined;
  hasCredentials: boolean;
  /** It had credentials, and they are made again. */
  isLost: boolean;
  isBound: boolean;
  /** The administrator's Secret that its driver works by. */
  driverSecret: string | undefined;
  isGoing: boolean;
  /** The bucket's name in the store. */
  identifier: string | undefined;
  /** Nothing in the store is its any more. */
  isReleased: boolean;
  /** What concerns whoever provisions it, without our own marks. */
  forProvisioning: string;
  /** What concerns whoever binds it: nothing, as long as nothing is heard of it. */
  forBinding: string;
}

export function indexedContent({ metadata, spec, status = {} }: BucketContent): IndexedContent {
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
    // Also while it goes: it is in use until its Bucket goes.
    hasCredentials: phase === 'Ready' || phase === 'Bound',
    isLost: !isGoing && (phase === 'Retrying' || phase === 'Failed') && spec.secretRef !== undefined,
    isBound: !isGoing && phase === 'Bound',
    driverSecret: driverSecretOf(spec),
    isGoing,
    identifier: spec.bucketIdentifier,
    isReleased: phase === 'Released',
    forProvisioning: JSON.stringify([uid, deletionTimestamp, emptied, phase === 'Released', held]),
    // Whoever binds a content goes on by itself.
    forBinding: JSON.stringify([phase === 'Bound' ? 'Ready' : phase, message]),
  };
}

function driverSecretOf({ parameters }: BucketContent['spec']): string | undefined {
  const name = parameters?.driverSecretName;
  return name && displayName({ namespace: systemNamespace, name });
}

/** As of a content of which nothing has been heard. */
export const silent = JSON.stringify([undefined, undefined]);
