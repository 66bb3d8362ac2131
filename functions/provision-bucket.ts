import { randomUUID } from 'node:crypto';
import { driversOnDemand } from '../lib/capabilities/buckets/drivers/drivers-on-demand.ts';
import { provisionBucket } from '../lib/capabilities/buckets/steps/provision-bucket/step.ts';
import { serve } from '../lib/compose/serve.ts';

export const handler = serve(({ drivers, identity, permissionsBoundary }) =>
  provisionBucket({
    drivers: driversOnDemand(drivers, { identity, permissionsBoundary }),
    identity,
    worker: randomUUID(),
  }),
);
