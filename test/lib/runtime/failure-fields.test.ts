import { expect, test } from '@jest/globals';
import { ClusterError } from '../../../lib/kubernetes/errors.ts';
import { failureFields } from '../../../lib/runtime/failure-fields.ts';
import { consoleLog, type LogLevel } from '../../../lib/runtime/log.ts';

function logged(level: LogLevel) {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line));
  return { log: consoleLog({ function: 'resync' }, { level, write }), lines };
}

const denied = () => new ClusterError('denied', 'not you', 403, new Error('the cause'));

test('of a mistake of ours the place is told, and of what others answer only at level debug', () => {
  const info = logged('info').log;
  expect(failureFields(new TypeError('no'), info)).toMatchObject({ reason: 'Mistake', error: 'no' });
  expect(failureFields(new TypeError('no'), info).stack).toMatch(/failure-fields\.test\.ts:\d+:\d+/);
  expect(failureFields(denied(), info)).toEqual({ reason: 'Denied', error: 'not you', stack: undefined });
  expect(failureFields(denied(), logged('debug').log).stack).toMatch(
    /^ClusterError: not you\n[\s\S]*\ncaused by Error: the cause\n/,
  );
});
