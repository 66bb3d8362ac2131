import { serve } from '../../lib/reconcile/serve.ts';
import { bindBucket } from './step.ts';

export const handler = serve(bindBucket);
