import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Fifo } from '../../../lib/queue/fifo.ts';

/** What happens one after the other: so many are added, or so many taken. */
const courses = fc.array(fc.integer({ min: -1_500, max: 1_500 }), { maxLength: 20 });

test('what was added is taken in its order, however much has gone through before', () => {
  fc.assert(
    fc.property(courses, (course) => {
      const fifo = new Fifo<number>();
      const plain: number[] = [];
      let added = 0;
      for (const count of course) {
        for (let each = 0; each < count; each += 1) {
          added += 1;
          fifo.push(added);
          plain.push(added);
        }
        for (let each = 0; each > count; each -= 1) expect(fifo.shift()).toBe(plain.shift());
        expect([fifo.size, fifo.first]).toEqual([plain.length, plain[0]]);
      }
    }),
    { numRuns: 50 },
  );
});
