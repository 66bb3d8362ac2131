import { expect, test } from '@jest/globals';
import { dlq } from '../../cli/dlq.ts';
import { forward } from '../../cli/forward.ts';
import { queues } from '../../cli/queues.ts';
import { redrive } from '../../cli/redrive.ts';
import { replay } from '../../cli/replay/replay.ts';
import { resyncCommand } from '../../cli/resync.ts';
import { trace } from '../../cli/trace.ts';

test.each([
  ['forward', forward.usage],
  ['replay', replay.usage],
  ['dlq', dlq.usage],
  ['dlq drop', dlq.usageOf?.drop],
  ['redrive', redrive.usage],
  ['resync', resyncCommand.usage],
  ['queues', queues.usage],
  ['trace', trace.usage],
])('the help of %s ends with one or two examples, with options that it has', (command, usage = '') => {
  const [options = '', examples = ''] = usage.split(/^Examples?:\n/m);
  const lines = examples.split('\n');
  expect(lines.length).toBeLessThanOrEqual(2);
  expect(lines.filter((line) => !line.startsWith(`  longshore ${command} `))).toEqual([]);
  expect([...examples.matchAll(/--[a-z-]+/g)].filter(([option]) => !options.includes(option))).toEqual([]);
});
