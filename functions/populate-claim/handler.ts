import { serve } from '../../lib/reconcile/serve.ts';
import { populateClaim } from './step.ts';

export const handler = serve(populateClaim);
