import type { Secret } from '../../../../kubernetes/objects.ts';
import type { Decision, World } from '../../../../reconcile/step.ts';
import type {
  CreateBucketOutcome,
  DeleteBucketOutcome,
  GrantAccessOutcome,
  Parameters,
  RevokeAccessOutcome,
} from '../../drivers/driver.ts';
import type { Bucket, BucketContent, Registration } from '../../objects.ts';
import type { BucketReason } from '../../reasons.ts';
import type { DriverCall } from './driver-call.ts';

export interface ProvisioningWorld extends World<'content' | 'secret', BucketReason> {
  readonly cluster: string;
  readonly content?: BucketContent | undefined;
  /** The Bucket that the content is for; absent when it is gone, also when another one has its name. */
  readonly bucket?: Bucket | undefined;
  readonly registration?: Registration | undefined;
  readonly secret?: Secret | undefined;
  /** The administrator's Secret that the class names for its driver. */
  readonly driverSecret?: Secret | undefined;
  /** What the driver finds wrong with the class's parameters; undefined when the driver is none of ours. */
  readonly problems?: readonly string[] | undefined;
  /** The class's parameters as the driver settles them. */
  readonly parameters?: Parameters | undefined;
  /** The other contents that mean the same bucket, where they matter for what comes next. */
  readonly namesakes?: readonly BucketContent[] | undefined;
  readonly identity: string;
  readonly worker: string;
  /** What the driver has answered in this run. */
  readonly created?: CreateBucketOutcome | undefined;
  readonly granted?: GrantAccessOutcome | undefined;
  readonly revoked?: RevokeAccessOutcome | undefined;
  readonly deleted?: DeleteBucketOutcome | undefined;
}

export type ProvisioningDecision = Decision<ProvisioningWorld, DriverCall>;

export const driverSecretParameter = 'driverSecretName';
