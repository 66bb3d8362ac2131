import { infoOf } from '../lib/capabilities/buckets/drivers/driver-config.ts';
import { registerDriver } from '../lib/capabilities/buckets/steps/register-driver/step.ts';
import { serve } from '../lib/compose/serve.ts';

export const handler = serve(({ drivers, identity }) => registerDriver({ drivers: drivers.map(infoOf), identity }));
