export { handler } from '../lib/compose/sweep-buckets.ts';
