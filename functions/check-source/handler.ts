import { serve } from '../../lib/reconcile/serve.ts';
import { checkSource } from './step.ts';

export const handler = serve(checkSource);
