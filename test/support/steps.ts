import type { Provisioner } from '../../lib/capabilities/buckets/steps/provision-bucket/provisioner.ts';
import { provisionBucket, provisionBucketStep } from '../../lib/capabilities/buckets/steps/provision-bucket/step.ts';
import { registerDriver, registerDriverStep } from '../../lib/capabilities/buckets/steps/register-driver/step.ts';
import { declared } from '../../lib/capabilities/declarations.ts';
import type { CapabilityName } from '../../lib/capabilities/names.ts';
import type { Step, World } from '../../lib/reconcile/step.ts';

/** The steps that are made around the drivers of one deployment. */
const makers: Readonly<Record<string, (provisioner: Provisioner) => Step<World>>> = {
  [registerDriverStep.name]: (provisioner) => {
    const drivers = [...provisioner.drivers.values()].map((driver) => driver.info());
    return registerDriver({ ...provisioner, drivers });
  },
  [provisionBucketStep.name]: provisionBucket,
};

const noDrivers: Provisioner = { drivers: new Map(), identity: 'test', worker: 'test' };

function stepsOf(capability: CapabilityName, provisioner: Provisioner): readonly Step<World>[] {
  return declared[capability].flatMap(({ name, step, made }) => {
    if (!made) return step ?? [];
    const make = makers[name];
    if (!make) throw new Error(`test/support/steps.ts does not know how ${name} is made`);
    return make(provisioner);
  });
}

export function bucketSteps(provisioner: Provisioner): readonly Step<World>[] {
  return stepsOf('buckets', provisioner);
}

export const dataSourceSteps = stepsOf('data-sources', noDrivers);

/** Every step that a change can lead to, for what runs them all in one process. */
export function stepsWith(provisioner: Provisioner = noDrivers): readonly Step<World>[] {
  return [...stepsOf('transfers', provisioner), ...bucketSteps(provisioner), ...dataSourceSteps];
}
