import type { ListedReason, Obstacle, Shown } from '../../reconcile/obstacle.ts';
import type { ContentPhase } from './objects.ts';

interface ReasonOfBuckets extends ListedReason {
  /** The phase of a content that reports this reason; without one, the phase stays. */
  phase?: ContentPhase;
  /** A Bucket's condition with this reason is true. */
  isTrue?: true;
  /** The condition's time is when this reason was first reported, because a time limit counts from it. */
  isTimed?: true;
}

/** All reasons of Buckets, their contents and the registrations of drivers. */
const list = {
  Bound: { isTrue: true, means: 'The bucket can be used.' },
  Provisioning: { means: 'The driver is at work.' },
  BucketsOff: { means: 'An administrator has switched buckets off.' },
  ClassNotFound: { means: 'The BucketClass does not exist.' },
  ClassNotForNamespace: { means: 'The BucketClass is for other namespaces.' },
  Invalid: { phase: 'Failed', stalls: true, means: 'The class, its parameters or a name can never work.' },
  DriverNotRegistered: { means: "No deployment serves the class's driver." },
  Waiting: { means: 'The content waits; the message is its own.' },
  Retrying: { means: 'The content is tried again; the message is its own.' },
  ProvisioningFailed: { stalls: true, means: 'The content has failed; the message is its own.' },
  AwaitingSecret: { means: 'The bucket exists, but not its Secret.' },
  ContentTaken: { stalls: true, means: 'The content of the expected name belongs to another Bucket.' },
  ContentDeleted: { stalls: true, means: 'Someone has deleted the content.' },
  Releasing: { means: 'The Bucket is being deleted, and its content released.' },
  Copied: { isTrue: true, means: 'The Secret has the credentials.' },
  SecretExists: { isTimed: true, means: "Another Secret has the name of the Bucket's." },
  SecretExistsTimeout: { stalls: true, means: "Another Secret has had the name of the Bucket's for 10 minutes." },
  CredentialsLost: {
    phase: 'Retrying',
    means: "The driver's Secret is gone or empty, and credentials are created again.",
  },
  SourceSecretMissing: { means: 'The Secret to copy does not exist, or is empty.' },
  SourceSecretIncomplete: { means: "The driver's Secret lacks a key." },
  Provisioned: { phase: 'Ready', means: 'Bucket and credentials exist.' },
  DriverNotConfigured: { means: 'This deployment no longer serves the driver of a content that is to be released.' },
  DriverSecretMissing: { phase: 'Retrying', means: 'The Secret that the class names for its driver does not exist.' },
  StartedElsewhere: { means: 'Another deployment has begun the work, and only that one can continue.' },
  NameTaken: { phase: 'Failed', stalls: true, means: 'A bucket, user or Secret of that name belongs to someone else.' },
  NotFound: { phase: 'Failed', stalls: true, means: "The class's existing bucket does not exist." },
  NotEmpty: { phase: 'Failed', stalls: true, means: 'The bucket is not empty, and must not be emptied.' },
  AccessDenied: { phase: 'Retrying', means: "The store does not allow the driver's call." },
  StoreUnavailable: { phase: 'Retrying', means: 'The store does not answer, or cannot do it now.' },
  Emptying: { means: 'The bucket is being emptied.' },
  SharedWithOthers: { means: 'Others use the bucket that is to be deleted.' },
  BucketGoing: { means: 'The bucket is being deleted with the Bucket that it was created for.' },
  InUse: { means: 'The deleted content is in use as long as its Bucket exists.' },
  BucketLost: { stalls: true, means: 'The Bucket is gone without having been released.' },
  Released: { phase: 'Released', means: 'Everything in the store is given back.' },
  WriteRefused: { means: 'The API server rejects a write.' },
  Failed: { phase: 'Failed', stalls: true, means: 'All attempts failed.' },
  SecretRepaired: { shown: 'Event', means: "A change of the Bucket's Secret by someone else was reverted." },
  DriverNameTaken: { shown: 'Event', means: "Another deployment has registered the driver's name." },
  Registered: { shown: 'log', means: 'The driver is registered.' },
  Deleting: { shown: 'log', means: 'The driver is registered again when its present registration is gone.' },
  NotOurDriver: { shown: 'log', means: 'Another deployment serves the driver.' },
  NotHeld: { shown: 'log', means: 'The object is not held by Longshore, so there is nothing to do.' },
  BucketGone: { shown: 'log', means: 'The Bucket does not exist any more, or is being deleted.' },
  BucketDeleted: { shown: 'log', means: 'Nothing is created for a Bucket that is being deleted.' },
  ContentGone: { shown: 'log', means: 'The content does not exist any more.' },
  ContentHeld: { shown: 'log', means: 'The released content is held by other finalizers.' },
  NoCredentials: { shown: 'log', means: 'There are no credentials to copy yet.' },
  Begun: { shown: 'log', means: 'The contents of the same bucket are read again after the work was marked as begun.' },
  Busy: { shown: 'log', means: 'Another worker is calling the store for this content.' },
  Resting: { shown: 'log', means: 'The last attempt failed a moment ago, and the next one waits.' },
} as const satisfies Record<string, ReasonOfBuckets>;

export type BucketReason = keyof typeof list;
export type ShownBucketReason = Shown<typeof list>;
export type BucketObstacle = Obstacle<BucketReason>;

export const bucketReasons: Readonly<Record<BucketReason, ReasonOfBuckets>> = list;

/** True if nothing goes on until a person acts: tools count it as a failure. */
export function stalls(reason: string): boolean {
  return Object.hasOwn(list, reason) && bucketReasons[reason as BucketReason].stalls === true;
}
