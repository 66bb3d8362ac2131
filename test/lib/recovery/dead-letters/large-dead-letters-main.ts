import { listDeadLetters } from '../../../../lib/recovery/dead-letters/list.ts';
import { deadLetter } from './fake-dead-letter-queue.ts';

/**
 * Lists a queue of letters that are as large as given, and says what came of it: `<bytes> <letters> <meant|others>`. To be
 * run with a heap that has no room for all of them.
 */
const [bytes = 0, count = 0] = process.argv.slice(2, 4).map(Number);
const areMeant = process.argv[4] === 'meant';
let given = 0;
const { deadLetters, others, large } = await listDeadLetters(
  {
    function: 'match-claim',
    receive: async () =>
      Array.from({ length: Math.min(10, count - given) }, () => {
        given += 1;
        return deadLetter(`letter-${given}`, { body: Buffer.alloc(bytes, 97 + (given % 20)).toString() });
      }),
    hide: async () => [],
    send: async () => [],
    remove: async () => [],
    counts: async () => ({ waiting: count - given, hidden: given }),
  },
  { isMeant: () => areMeant },
);
console.log(JSON.stringify({ given, deadLetters: deadLetters.length, others, large }));
