import { setImmediate as turn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readArchive } from '../../../lib/archive/read-archive.ts';
import { maxSegmentBytes, maxSpanMs } from '../../../lib/archive/segment-limits.ts';
import { parseSegmentName } from '../../../lib/archive/segment-names.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { archiveWith } from './case-archive.ts';
import { type Answer, messageOf } from './fake-segments.ts';

type Step = { add: string } | { pass: number } | { jump: number } | { turns: number } | { answer: true };

const steps = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ add: fc.string({ unit: anyCharacter }) }) },
    { weight: 1, arbitrary: fc.record({ add: fc.constant('x'.repeat(maxSegmentBytes * 0.4)) }) },
    { weight: 3, arbitrary: fc.record({ pass: fc.constantFrom(1, 100, 5_000, 59_999, 60_000, 3_600_000) }) },
    { weight: 1, arbitrary: fc.record({ jump: fc.constantFrom(-7_200_000, -1, 1, 86_400_000) }) },
    { weight: 2, arbitrary: fc.record({ turns: fc.integer({ min: 1, max: 20 }) }) },
    { weight: 1, arbitrary: fc.record({ answer: fc.constant(true as const) }) },
  ),
  { maxLength: 30 },
);
const answers = fc.array(fc.constantFrom<Answer>('taken', 'refused', 'unanswered', 'late'), { maxLength: 8 });

/** Does all steps, then lets time pass until everything is written. */
async function play(list: readonly Step[], plan: readonly Answer[]) {
  const made = archiveWith([...plan], { compress: promisify<Buffer, Buffer>(gzip) });
  const { archive, clock, store } = made;
  const sent: { body: string; time: number }[] = [];
  const told: string[] = [];
  const early: string[] = [];
  const bodies = new Map<string, Set<string>>();
  const bodiesOf = (name: string): Set<string> => {
    const found = bodies.get(name) ?? new Set(store.messagesOf(name).map(({ body }) => body));
    bodies.set(name, found);
    return found;
  };
  const add = (text: string): void => {
    const body = `${sent.length} ${text}`;
    sent.push({ body, time: clock.time });
    archive.add(messageOf(body), () => {
      told.push(body);
      if (![...store.confirmed].some((name) => bodiesOf(name).has(body))) early.push(body);
    });
  };
  for (const step of list) {
    if ('add' in step) add(step.add);
    else if ('pass' in step) clock.advance(step.pass);
    else if ('jump' in step) clock.time += step.jump;
    else if ('answer' in step) store.answerLate();
    else for (let turns = 0; turns < step.turns; turns += 1) await turn();
  }
  let isClosed = false;
  const closed = archive.close(Number.MAX_SAFE_INTEGER).finally(() => {
    isClosed = true;
  });
  while (!isClosed) {
    clock.advance(10_000);
    store.answerLate();
    await turn();
  }
  await closed;
  return { ...made, sent, told, early };
}

test('every message is in exactly one line, and is told of once, and not before its segment is there', async () => {
  await fc.assert(
    fc.asyncProperty(steps, answers, async (list, plan) => {
      const { store, sent, told, early, archive } = await play(list, plan);
      expect(early).toEqual([]);
      expect(told).toEqual(sent.map(({ body }) => body));
      const expected = sent.map(({ body, time }) => ({ ...messageOf(body), sentAt: new Date(time) }));
      const order = ({ body }: { body: string }) => Number.parseInt(body, 10);
      expect(store.messages.sort((a, b) => order(a) - order(b))).toEqual(expected);
      expect(archive.unwrittenBytes).toBe(0);
    }),
    { numRuns: 150 },
  );
});

test('a segment begins with the message that its name tells the time of, and none of its others is far from it', async () => {
  await fc.assert(
    fc.asyncProperty(steps, answers, async (list, plan) => {
      const { store } = await play(list, plan);
      for (const name of store.objects.keys()) {
        const begin = parseSegmentName(name)?.time.getTime() ?? Number.NaN;
        const ages = store.messagesOf(name).map(({ sentAt }) => sentAt.getTime() - begin);
        expect([ages[0], ages.filter((age) => !(age >= 0 && age <= maxSpanMs))]).toEqual([0, []]);
      }
    }),
    { numRuns: 100 },
  );
});

test('a range of time gives the messages that were sent in it, and no other', async () => {
  const moment = fc.integer({ min: -10_000_000, max: 100_000_000 });
  await fc.assert(
    fc.asyncProperty(steps, answers, moment, moment, async (list, plan, one, other) => {
      const { store, sent } = await play(list, plan);
      const begin = sent[0]?.time ?? 0;
      const [from, to] = [begin + Math.min(one, other), begin + Math.max(one, other)];
      store.pageSize = 2;
      const found: string[] = [];
      const range = { cluster: 'main', from: new Date(from), to: new Date(to) };
      for await (const { body } of readArchive(store, range)) found.push(body);
      const expected = sent.filter(({ time }) => time >= from && time < to).map(({ body }) => body);
      expect(found.sort()).toEqual(expected.sort());
    }),
    { numRuns: 150 },
  );
});
