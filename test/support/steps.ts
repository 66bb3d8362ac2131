import { bindBucket } from '../../lib/capabilities/buckets/steps/bind-bucket/step.ts';
import { copySecret } from '../../lib/capabilities/buckets/steps/copy-secret/step.ts';
import type { Provisioner } from '../../lib/capabilities/buckets/steps/provision-bucket/provisioner.ts';
import { provisionBucket } from '../../lib/capabilities/buckets/steps/provision-bucket/step.ts';
import { registerDriver } from '../../lib/capabilities/buckets/steps/register-driver/step.ts';
import { checkSource } from '../../lib/capabilities/data-sources/steps/check-source/step.ts';
import { populateClaim } from '../../lib/capabilities/data-sources/steps/populate-claim/step.ts';
import type { Step, World } from '../../lib/reconcile/step.ts';
import { transferSteps } from './transfer-steps.ts';

/** The steps of buckets, around the drivers of one deployment. */
export function bucketSteps(provisioner: Provisioner): readonly Step<World>[] {
  const drivers = [...provisioner.drivers.values()].map((driver) => driver.info());
  return [registerDriver({ ...provisioner, drivers }), bindBucket, provisionBucket(provisioner), copySecret];
}

export const dataSourceSteps: readonly Step<World>[] = [populateClaim, checkSource];

const noDrivers: Provisioner = { drivers: new Map(), identity: 'test', worker: 'test' };

/** Every step that a change can lead to, for what runs them all in one process. */
export function stepsWith(provisioner: Provisioner = noDrivers): readonly Step<World>[] {
  return [...transferSteps, ...bucketSteps(provisioner), ...dataSourceSteps];
}
