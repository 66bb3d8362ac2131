import { populateClaim } from '../lib/capabilities/data-sources/steps/populate-claim/step.ts';
import { serve } from '../lib/compose/serve.ts';

export const handler = serve(populateClaim);
