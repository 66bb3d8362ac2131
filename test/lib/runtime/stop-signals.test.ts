import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const module = fileURLToPath(new URL('../../../lib/runtime/stop-signals.ts', import.meta.url));
/** Tells how often it is asked to stop, and does not. */
const program = `import { onStop } from ${JSON.stringify(module)};
onStop((signal) => console.log(signal));
process.on('SIGUSR2', () => console.log('still there'));
setInterval(() => {}, 1_000);
console.log('ready');`;

async function start() {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => (await lines.next()).value;
  expect(await next()).toBe('ready');
  return { child, next };
}

test('the same Ctrl-C, which comes from the terminal and from npm, is one', async () => {
  const { child, next } = await start();
  try {
    // Two that are not the same to the system, which would make one of them; it hands them on in any order.
    child.kill('SIGINT');
    child.kill('SIGTERM');
    expect(await next()).toMatch(/^SIG(INT|TERM)$/);
    child.kill('SIGUSR2');
    expect(await next()).toBe('still there');
  } finally {
    child.kill('SIGKILL');
  }
});

test('the next one ends the process', async () => {
  const { child, next } = await start();
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await next()).toBe('SIGTERM');
  // The same one is over at some time, and until then nothing comes of it.
  const again = setInterval(() => child.kill('SIGINT'), 100);
  const [, signal] = await exited;
  clearInterval(again);
  expect(signal).toBe('SIGINT');
});
