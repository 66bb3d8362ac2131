import { PassThrough } from 'node:stream';
import { expect, test } from '@jest/globals';
import { confirmed } from '../../../cli/install/confirm.ts';
import { Interrupted } from '../../../cli/interrupted.ts';
import { UsageError } from '../../../cli/parse/usage-error.ts';

const { signal } = new AbortController();

function terminal(isTTY: boolean) {
  const input = Object.assign(new PassThrough(), { isTTY });
  const output = new PassThrough();
  return { input, output, shown: () => String(output.read() ?? '') };
}

test.each([
  ['y', true],
  ['Yes', true],
  ['n', false],
  ['', false],
  ['yeah', false],
])('the answer %j is taken for %j', async (answer, is) => {
  const { input, output, shown } = terminal(true);
  const asked = confirmed('Apply this?', false, signal, { input, output });
  input.write(`${answer}\n`);
  expect(await asked).toBe(is);
  expect(shown()).toContain('Apply this? [y/N] ');
});

test('the end of the input is no answer', async () => {
  const { input, output } = terminal(true);
  const asked = confirmed('Apply this?', false, signal, { input, output });
  input.end();
  expect(await asked).toBe(false);
});

test('Ctrl-C ends the command, and nothing was changed', async () => {
  const { input, output } = terminal(true);
  const stop = new AbortController();
  const asked = confirmed('Apply this?', false, stop.signal, { input, output });
  stop.abort();
  await expect(asked).rejects.toThrow(new Interrupted('nothing was changed'));
});

test('nobody is asked who has agreed before', async () => {
  const { input, output, shown } = terminal(false);
  expect(await confirmed('Apply this?', true, signal, { input, output })).toBe(true);
  expect(shown()).toBe('');
});

test('without a terminal it is a wrong call, which says how to agree', async () => {
  const { input, output } = terminal(false);
  const asked = confirmed('Apply this?', false, signal, { input, output });
  await expect(asked).rejects.toThrow(UsageError);
  await expect(asked).rejects.toThrow('nothing was changed: there is no terminal to ask at. Use --yes');
});
