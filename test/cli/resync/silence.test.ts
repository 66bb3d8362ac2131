import { expect, test } from '@jest/globals';
import { Silence } from '../../../cli/resync/silence.ts';
import type { Answer, RawAnswer } from '../../../lib/kubernetes/api.ts';

const never = new Promise<never>(() => {});
const aborted = ({ signal }: Silence) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve());
  });

test('an API server that answers nothing is given up, with a sentence', async () => {
  const silence = new Silence({ send: () => never, sendForBytes: () => never }, 'main', 20);
  void silence.api.send({ method: 'GET', path: '/' });
  expect(silence.problem).toBeUndefined();
  await aborted(silence);
  expect(silence.problem?.message).toMatch(
    /^the API server of cluster main has answered nothing for \d+ s, and nothing/,
  );
});

test('answers keep it alive, and in the end it gives up nothing any more', async () => {
  const answer: Answer = { status: 200, body: '' };
  const bytes: RawAnswer = { status: 200, body: Buffer.alloc(0) };
  const silence = new Silence({ send: async () => answer, sendForBytes: async () => bytes }, 'main', 60_000);
  expect(await silence.api.send({ method: 'GET', path: '/' })).toBe(answer);
  expect(await silence.api.sendForBytes({ method: 'GET', path: '/' })).toBe(bytes);
  silence.end();
  expect(silence.signal.aborted).toBe(false);
});
