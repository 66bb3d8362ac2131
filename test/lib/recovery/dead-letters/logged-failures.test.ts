import { expect, test } from '@jest/globals';
import { matchTransfer } from '../../../../lib/capabilities/transfers/steps/match-transfer/step.ts';
import { createHandler } from '../../../../lib/reconcile/serve.ts';
import { type ReadPage, readFailures } from '../../../../lib/recovery/dead-letters/logged-failures.ts';
import { consoleLog } from '../../../../lib/runtime/log.ts';

const from = new Date('2026-11-19T03:00:00Z');

function at(second: number): number {
  return from.getTime() + second * 1000;
}

/** The lines of a log, on pages of so many. */
function pagesOf(lines: readonly [number, string][], perPage = 2): ReadPage {
  return async (_group, _from, token = '0') => {
    const start = Number(token);
    const events = lines.slice(start, start + perPage).map(([timestamp, message]) => ({ timestamp, message }));
    return { events, nextToken: start + perPage < lines.length ? String(start + perPage) : undefined };
  };
}

const line = (messageId: string, error: unknown) =>
  JSON.stringify({ level: 'error', message: 'message failed', messageId, error });

test('of each message the first and the last failure are found, on whichever page they are', async () => {
  const { failures, isWhole } = await readFailures(
    pagesOf([
      [at(1), line('a', 'no answer')],
      [at(2), line('b', 'denied')],
      [at(3), `2026-11-19T03:00:03Z\tid\tERROR\t${line('a', 'still no answer')}`],
      [at(2), line('a', 'late to be told')],
      [at(4), line('c', { message: 'as an object' })],
    ]),
    'group',
    from,
  );
  expect(isWhole).toBe(true);
  expect(Object.fromEntries(failures)).toEqual({
    a: { first: new Date(at(1)), last: new Date(at(3)), error: 'still no answer' },
    b: { first: new Date(at(2)), last: new Date(at(2)), error: 'denied' },
    c: { first: new Date(at(4)), last: new Date(at(4)), error: 'as an object' },
  });
});

test.each(['message failed', '{"message":"message failed"}', '{"message":"reconciled","messageId":"a"}', '{', 'null'])(
  'a line that is no failure of a message is passed over: %s',
  async (text) => {
    expect((await readFailures(pagesOf([[at(1), text]]), 'group', from)).failures.size).toBe(0);
  },
);

test('a log that goes on and on is read for a while, and said not to be whole', async () => {
  let now = 0;
  let pages = 0;
  const endless: ReadPage = async () => {
    now += 1_000;
    pages += 1;
    return { events: [], nextToken: 'more' };
  };
  expect(await readFailures(endless, 'group', from, { elapsedMs: () => now })).toMatchObject({ isWhole: false });
  expect(pages).toBeGreaterThan(10);
  expect(pages).toBeLessThan(30);
});

test('a handler logs a failure in such words', async () => {
  const lines: string[] = [];
  const log = consoleLog({ function: 'match-transfer' }, { write: (text) => lines.push(text) });
  const never = () => Promise.reject(new Error('never asked'));
  const runtime = { cluster: never, forgetCredentials: () => {}, postpone: async () => {}, maxReceives: 8, log };
  const handle = createHandler(matchTransfer, { ...runtime, now: () => from });
  const record = { messageId: 'a', receiptHandle: 'r', body: 'no JSON', attributes: { ApproximateReceiveCount: '1' } };
  await handle({ Records: [record] } as never);
  const { failures } = await readFailures(pagesOf(lines.map((text) => [at(1), text])), 'group', from);
  expect(failures.get('a')?.error).toBe('malformed message: it is not JSON');
});
