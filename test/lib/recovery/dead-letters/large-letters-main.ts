import { listLetters } from '../../../../lib/recovery/dead-letters/list.ts';
import { letter } from './fake-letter-queue.ts';

/**
 * Lists a queue of letters that are as large as given, and says what came of it: `<bytes> <letters> <meant|others>`. To be
 * run with a heap that has no room for all of them.
 */
const [bytes = 0, count = 0] = process.argv.slice(2, 4).map(Number);
const areMeant = process.argv[4] === 'meant';
let given = 0;
const { letters, others, large } = await listLetters(
  {
    function: 'match-claim',
    receive: async () =>
      Array.from({ length: Math.min(10, count - given) }, () => {
        given += 1;
        return letter(`letter-${given}`, { body: Buffer.alloc(bytes, 97 + (given % 20)).toString() });
      }),
    hide: async () => [],
    send: async () => [],
    remove: async () => [],
    counts: async () => ({ waiting: count - given, hidden: given }),
  },
  { isMeant: () => areMeant },
);
console.log(JSON.stringify({ given, letters: letters.length, others, large }));
