import { checkSource } from '../lib/capabilities/data-sources/steps/check-source/step.ts';
import { serve } from '../lib/compose/serve.ts';

export const handler = serve(checkSource);
