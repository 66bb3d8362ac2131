import { serve } from '../../lib/reconcile/serve.ts';
import { matchClaim } from './step.ts';

export const handler = serve(matchClaim);
