import type { ShownBucketReason } from './reasons.ts';

/** What a person can do about each reason that is shown to people. */
export const toDoAboutBuckets: Readonly<Record<ShownBucketReason, string>> = {
  Bound: 'Nothing.',
  Provisioning: 'Wait.',
  BucketsOff: 'Ask an administrator to switch buckets on. It continues about a minute later.',
  ClassNotFound: 'Create the class, or a Bucket of another class.',
  ClassNotForNamespace: 'Use another class, or ask its administrator to add the namespace.',
  Invalid: 'Create another class with what the message asks for, and another Bucket of it.',
  DriverNotRegistered:
    'Compare the provisioner of the class with the registered drivers: kubectl get cosiregistrations.',
  Waiting: 'Follow the message.',
  Retrying: 'Follow the message. It is tried again by itself.',
  ProvisioningFailed: 'Follow the message. It is tried again every 10 minutes.',
  AwaitingSecret: 'Follow the message of the condition SecretReady.',
  ContentTaken: 'Create a Bucket with another name.',
  ContentDeleted: 'Copy the data to another Bucket if you want to keep it, and delete this one.',
  Releasing: 'Wait, or follow the message.',
  Copied: 'Nothing.',
  SecretExists: 'Free the name, or create another Bucket with another secretName.',
  SecretExistsTimeout: 'Free the name, or create another Bucket with another secretName.',
  CredentialsLost: 'Wait until the credentials have been created again.',
  SourceSecretMissing: 'For a class with a secretRef, its administrator creates the Secret. Otherwise wait.',
  SourceSecretIncomplete:
    "An administrator restores the keys that the message names in the driver's Secret. Or delete that Secret: bucket credentials are then created again, and the present ones end.",
  Provisioned: 'Nothing.',
  DriverNotConfigured: "Put the driver back into the deployment's drivers until everything is released.",
  DriverSecretMissing: 'Create the Secret that the message names in longshore-system.',
  StartedElsewhere:
    "Restore that deployment. Or, if both work in the same account: set status.startedBy of the BucketContent, and the tag longshore.dev/deployment in the store, to this deployment's identity.",
  NameTaken: 'Follow the message. What belongs to others is left alone.',
  NotFound: 'Create the bucket that the class names. It continues within 10 minutes.',
  NotEmpty: 'Empty the bucket, or let go of it by removing its tag longshore.dev/owner.',
  AccessDenied: 'Allow the action that the message names to the role or the keys of the driver.',
  StoreUnavailable: 'Make sure that the store answers. It is tried again by itself.',
  Emptying: 'Wait.',
  SharedWithOthers: 'Wait until those that the message names are gone.',
  BucketGoing: 'Create a class for another bucket.',
  InUse: 'Nothing. It is released when its Bucket is deleted.',
  BucketLost:
    'To keep the data of a bucket with the policy Delete, first remove its tag longshore.dev/owner in the store. Then delete the BucketContent: that revokes the access, and deletes a bucket with the policy Delete that still has the tag.',
  Released: 'Nothing.',
  WriteRefused: 'Fix what the message says, such as a quota. It continues about a minute later.',
  Failed: 'Fix the cause that the message ends with. It continues by itself.',
  SecretRepaired: 'Nothing. Do not edit the Secret.',
  DriverNameTaken:
    'Give one of the two drivers another name, or delete the COSIRegistration if its deployment is gone.',
};
