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
  /** The Bucket of the content; undefined if it is gone, also if another one has its name. */
  readonly bucket?: Bucket | undefined;
  readonly registration?: Registration | undefined;
  readonly secret?: Secret | undefined;
  /** The administrator's Secret that the class names for its driver. */
  readonly driverSecret?: Secret | undefined;
  /** The driver's objections to the class's parameters; undefined if the driver is not ours. */
  readonly problems?: readonly string[] | undefined;
  /** The class's parameters as settled by the driver. */
  readonly parameters?: Parameters | undefined;
  /** The other contents with the same bucket, if they matter for the next step. */
  readonly namesakes?: readonly BucketContent[] | undefined;
  readonly identity: string;
  readonly worker: string;
  /** The driver's answers in this run. */
  readonly created?: CreateBucketOutcome | undefined;
  readonly granted?: GrantAccessOutcome | undefined;
  readonly revoked?: RevokeAccessOutcome | undefined;
  readonly deleted?: DeleteBucketOutcome | undefined;
}

export type ProvisioningDecision = Decision<ProvisioningWorld, DriverCall>;

export const driverSecretParameter = 'driverSecretName';
