export { handler } from '../lib/compose/forward.ts';
