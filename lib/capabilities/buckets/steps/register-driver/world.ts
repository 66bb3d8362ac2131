import type { World } from '../../../../reconcile/step.ts';
import type { DriverInfo } from '../../drivers/driver.ts';
import type { Registration } from '../../objects.ts';

export interface RegisteringWorld extends World<'registration'> {
  /** The driver of that name, if this deployment has one. */
  readonly driver?: DriverInfo | undefined;
  readonly identity: string;
  readonly registration?: Registration | undefined;
}
