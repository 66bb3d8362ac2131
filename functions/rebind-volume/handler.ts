import { serve } from '../../lib/reconcile/serve.ts';
import { rebindVolume } from './step.ts';

export const handler = serve(rebindVolume);
