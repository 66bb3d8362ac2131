import { bindBucket } from '../lib/capabilities/buckets/steps/bind-bucket/step.ts';
import { serve } from '../lib/compose/serve.ts';

export const handler = serve(bindBucket);
