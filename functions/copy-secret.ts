import { copySecret } from '../lib/capabilities/buckets/steps/copy-secret/step.ts';
import { serve } from '../lib/compose/serve.ts';

export const handler = serve(copySecret);
