import { randomUUID } from 'node:crypto';
import { createDrivers } from '../../lib/drivers/drivers.ts';
import { serve } from '../../lib/reconcile/serve.ts';
import { provisionBucket } from './step.ts';

export const handler = serve(({ drivers, identity, permissionsBoundary }) =>
  provisionBucket({
    drivers: createDrivers(drivers, { identity, permissionsBoundary }),
    identity,
    worker: randomUUID(),
  }),
);
