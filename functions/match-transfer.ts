import { matchTransfer } from '../lib/capabilities/transfers/steps/match-transfer/step.ts';
import { serve } from '../lib/compose/serve.ts';

export const handler = serve(matchTransfer);
