import { matchApproval } from '../lib/capabilities/transfers/steps/match-approval/step.ts';
import { serve } from '../lib/compose/serve.ts';

export const handler = serve(matchApproval);
