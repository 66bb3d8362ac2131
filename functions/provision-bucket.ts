import { randomUUID } from 'node:crypto';
import { createDrivers } from '../lib/capabilities/buckets/drivers/drivers.ts';
import { provisionBucket } from '../lib/capabilities/buckets/steps/provision-bucket/step.ts';
import { serve } from '../lib/compose/serve.ts';

export const handler = serve(({ drivers, identity, permissionsBoundary }) =>
  provisionBucket({
    drivers: createDrivers(drivers, { identity, permissionsBoundary }),
    identity,
    worker: randomUUID(),
  }),
);
