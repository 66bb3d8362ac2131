import { expect, test } from '@jest/globals';
import { logFailures } from '../../../lib/compose/log-failures.ts';
import { consoleLog } from '../../../lib/runtime/log.ts';

test('what a run throws is told, and thrown on', async () => {
  const lines: Record<string, unknown>[] = [];
  const log = consoleLog({ function: 'resync' }, { write: (line) => void lines.push(JSON.parse(line)) });
  await expect(logFailures(log, () => Promise.reject(new TypeError('no')))).rejects.toThrow(TypeError);
  expect(lines).toMatchObject([
    { level: 'error', message: 'run failed', error: 'no', stack: expect.stringMatching(/^TypeError: no\n/) },
  ]);
  expect(await logFailures(log, async () => 'done')).toBe('done');
  expect(lines).toHaveLength(1);
});
