import { expect, test } from '@jest/globals';
import { borrow, lend } from './lending.ts';

const variable = 'LONGSHORE_TEST_OF_LENDING';
const worker = process.env.JEST_WORKER_ID ?? '1';

test('what a worker asks for first is started once, for it alone, and lent to it again', async () => {
  const started: string[] = [];
  const { stop } = await lend(variable, async (number) => {
    started.push(number);
    return { of: number };
  });
  try {
    expect(started).toEqual([]);
    expect(await Promise.all([borrow(variable), borrow(variable)])).toEqual([{ of: worker }, { of: worker }]);
    expect(await borrow(variable)).toEqual({ of: worker });
    expect(started).toEqual([worker]);
    const other = await fetch(`${process.env[variable]}/another`);
    expect([await other.json(), started]).toEqual([{ of: 'another' }, [worker, 'another']]);
  } finally {
    stop();
  }
});

test('who cannot be served is told why, and who does not know the secret nothing', async () => {
  const { stop } = await lend(variable, () => Promise.reject(new Error('etcd did not start')));
  try {
    await expect(borrow(variable)).rejects.toThrow('etcd did not start');
    const { origin } = new URL(process.env[variable] ?? '');
    expect((await fetch(`${origin}/guessed/1`)).status).toBe(404);
  } finally {
    stop();
  }
});

test('without a set-up the project to choose is named', () => {
  expect(() => borrow('LONGSHORE_TEST_OF_NOTHING')).toThrow('LONGSHORE_TEST_OF_NOTHING is not set');
});
