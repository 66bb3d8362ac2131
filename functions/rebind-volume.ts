import { rebindVolume } from '../lib/capabilities/transfers/steps/rebind-volume/step.ts';
import { serve } from '../lib/compose/serve.ts';

export const handler = serve(rebindVolume);
