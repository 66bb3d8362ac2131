export { handler } from '../lib/compose/replay.ts';
