import { infoOf } from '../../lib/drivers/driver-config.ts';
import { serve } from '../../lib/reconcile/serve.ts';
import { registerDriver } from './step.ts';

export const handler = serve(({ drivers, identity }) => registerDriver({ drivers: drivers.map(infoOf), identity }));
