import { registerDriverFrom } from '../lib/capabilities/buckets/steps/register-driver/from-config.ts';
import { serve } from '../lib/compose/serve.ts';

export const handler = serve(registerDriverFrom);
