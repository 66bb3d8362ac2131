import { provisionBucketFrom } from '../lib/capabilities/buckets/steps/provision-bucket/from-config.ts';
import { serve } from '../lib/compose/serve.ts';

export const handler = serve(provisionBucketFrom);
