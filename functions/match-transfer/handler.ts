import { serve } from '../../lib/reconcile/serve.ts';
import { matchTransfer } from './step.ts';

export const handler = serve(matchTransfer);
