import type { Advice, Turn } from '../../reconcile/explanations.ts';
import type { BucketReason } from './reasons.ts';

const by =
  (turn: Turn) =>
  (todo: string): Advice => ({ turn, todo });
const [owner, administrator] = [by('owner'), by('administrator')];
const [cluster, longshore, nobody] = [by('cluster'), by('Longshore'), by('nobody')];

/** What to do about each reason that people see. */
export const bucketAdvice: Readonly<Partial<Record<BucketReason, Advice>>> = {
  Bound: nobody('Nothing.'),
  Provisioning: longshore('Wait for the driver.'),
  BucketsOff: administrator('Turn buckets on in the ConfigMap longshore-system/longshore.'),
  ClassNotFound: owner('Use a class that exists, in another Bucket, or have the class created.'),
  ClassNotForNamespace: owner('Use another class, or ask the administrator of this one.'),
  Invalid: owner('Create another Bucket with a class that can work. The message says what is wrong.'),
  DriverNotRegistered: administrator('Serve the driver (--drivers), or correct the provisioner of the class.'),
  Waiting: longshore("Look at the content: 'longshore why bucketcontent/<name>'."),
  Retrying: longshore("Look at the content: 'longshore why bucketcontent/<name>'."),
  ProvisioningFailed: administrator('Fix what the message says. It is tried again every 10 minutes.'),
  AwaitingSecret: longshore('Wait, or see what SecretReady says.'),
  ContentTaken: owner('Create another Bucket.'),
  ContentDeleted: owner('It works until the Bucket is deleted. Copy the data to another Bucket before.'),
  Releasing: longshore('Wait.'),
  Copied: nobody('Nothing.'),
  SecretExists: owner('Delete the other Secret, or create a Bucket with another secretName.'),
  SecretExistsTimeout: owner('Delete the other Secret, or create a Bucket with another secretName.'),
  CredentialsLost: longshore('Wait: new credentials are created.'),
  SourceSecretMissing: administrator('Create the Secret that the class names; that of a driver is created again.'),
  SourceSecretIncomplete: administrator('Restore the key that the message names.'),
  Provisioned: nobody('Nothing.'),
  DriverNotConfigured: administrator('Serve the driver (--drivers) until everything of it is released.'),
  DriverSecretMissing: administrator('Create the Secret in longshore-system that the class names.'),
  StartedElsewhere: administrator('Let the deployment continue that has begun it.'),
  NameTaken: administrator('Decide about the bucket, user or Secret of that name. It is left alone.'),
  NotFound: administrator('Create the bucket that the class names.'),
  NotEmpty: owner('Empty the bucket, or keep it. It is checked every 10 minutes.'),
  AccessDenied: administrator("Allow the driver's call that the message names."),
  StoreUnavailable: cluster('Wait for the store: it is tried again with growing pauses.'),
  Emptying: longshore('Wait.'),
  SharedWithOthers: cluster('Wait until the others that use the bucket are gone.'),
  BucketGoing: administrator('Create a class for another bucket.'),
  InUse: owner('Delete the Bucket too, if it is to go.'),
  BucketLost: administrator(
    'To keep its data, remove its tag longshore.dev/owner in the store. Then delete the BucketContent: that revokes the access.',
  ),
  Released: nobody('Nothing.'),
  WriteRefused: administrator("Fix what the server refuses, such as an admission policy. The message is the server's."),
  Failed: administrator(
    "Fix the cause in the message, then run 'longshore retry'. Otherwise it is tried again within a minute.",
  ),
  SecretRepaired: nobody('Nothing, or find out who changed the Secret.'),
  DriverNameTaken: administrator(
    'Rename one of the two drivers, or delete the registration if its deployment is gone.',
  ),
};
