export { handler } from '../lib/compose/request-bucket.ts';
