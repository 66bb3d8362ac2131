import { serve } from '../../lib/reconcile/serve.ts';
import { copySecret } from './step.ts';

export const handler = serve(copySecret);
