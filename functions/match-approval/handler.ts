import { serve } from '../../lib/reconcile/serve.ts';
import { matchApproval } from './step.ts';

export const handler = serve(matchApproval);
