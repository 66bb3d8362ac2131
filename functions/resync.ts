export { handler } from '../lib/compose/resync.ts';
