import type { World } from '../../../../reconcile/step.ts';
import type { DriverInfo } from '../../drivers/driver.ts';
import type { Registration } from '../../objects.ts';
import type { BucketReason } from '../../reasons.ts';

export interface RegisteringWorld extends World<'registration', BucketReason> {
  /** The driver of that name, if this deployment has one. */
  readonly driver?: DriverInfo | undefined;
  readonly identity: string;
  readonly registration?: Registration | undefined;
}
