import { matchClaim } from '../lib/capabilities/transfers/steps/match-claim/step.ts';
import { serve } from '../lib/compose/serve.ts';

export const handler = serve(matchClaim);
