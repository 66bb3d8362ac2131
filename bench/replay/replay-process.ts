import { handler } from '../../functions/replay.ts';
import { measured } from './measured.ts';

/** Ours. Its arguments are the start (inclusive) and the end (exclusive) of the time range. */

const [from = '', to = ''] = process.argv.slice(2);
await measured(async () => {
  const { isDone, replayed } = await handler({ from, to }, { getRemainingTimeInMillis: () => 3_600_000 });
  if (!isDone) throw new Error('the replay was cut short');
  return replayed.reduce((total, { messages }) => total + messages, 0);
});
