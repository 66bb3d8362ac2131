import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { EarliestFirst } from '../../../../lib/queue/embedded/earliest-first.ts';

test('everything comes in the order of its time, and not before it', () => {
  const times = fc.array(fc.record({ atMs: fc.nat(50), askedMs: fc.nat(50) }), { maxLength: 60 });
  fc.assert(
    fc.property(times, (all) => {
      const waiting = new EarliestFirst<number>();
      const model: number[] = [];
      for (const { atMs, askedMs } of all) {
        waiting.add(atMs, atMs);
        model.push(atMs);
        model.sort((one, other) => one - other);
        expect(waiting.firstAtMs).toBe(model[0]);
        const due = (model[0] ?? 0) <= askedMs ? model.shift() : undefined;
        expect(waiting.takeDue(askedMs)).toBe(due);
        expect(waiting.size).toBe(model.length);
      }
      expect(model.map(() => waiting.takeDue(100))).toEqual(model);
      expect(waiting.takeDue(100)).toBeUndefined();
    }),
  );
});
