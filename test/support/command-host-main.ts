import { AsyncLocalStorage } from 'node:async_hooks';
import { Readable } from 'node:stream';
import { call } from '../../cli/call.ts';
import type { HostedCall, HostedEnd } from './command-host.ts';

/** Runs commands one after the other: the modules are loaded once, and not for each of them. */

const ownEnvironment = { ...process.env };
const exit = process.exit;
/** What a command leaves behind, such as a timer that ends the process, must not end the next one. */
const ending = new AsyncLocalStorage<(code: number) => void>();
process.exit = ((code?: number) => ending.getStore()?.(Number(code ?? process.exitCode ?? 0))) as typeof process.exit;
let interrupting: NodeJS.Timeout | undefined;

process.on('message', async (message: HostedCall | 'interrupt') => {
  if (message === 'interrupt') interruptSoon();
  else process.send?.(await run(message));
});
process.once('disconnect', () => exit(0));

/** Ctrl-C, as soon as the command takes it: before that it would end the process. */
function interruptSoon(): void {
  interrupting = setInterval(() => {
    if (!process.emit('SIGINT', 'SIGINT')) return;
    clearInterval(interrupting);
  }, 10);
}

async function run({ words, environment, columns }: HostedCall): Promise<HostedEnd> {
  process.env = { ...ownEnvironment, ...environment };
  process.exitCode = undefined;
  const texts = { out: '', err: '' };
  const giveBack = [
    take(process.stdout, columns, (text) => {
      texts.out += text;
    }),
    take(process.stderr, columns, (text) => {
      texts.err += text;
    }),
  ];
  Object.defineProperty(process, 'stdin', { configurable: true, value: Readable.from([]) });
  const code = await new Promise<number | string>((resolve) => {
    ending
      .run(resolve, () => call(words))
      .then(
        () => resolve(process.exitCode ?? 0),
        (error: unknown) => resolve(`thrown: ${error}`),
      );
  });
  clearInterval(interrupting);
  for (const each of giveBack) each();
  for (const signal of ['SIGINT', 'SIGTERM']) process.removeAllListeners(signal);
  return { code, ...texts };
}

/** What is written is kept, and it is said to be a terminal of that width, which has no colours. */
function take(stream: NodeJS.WriteStream, columns: number | undefined, keep: (text: string) => void): () => void {
  const { write } = stream;
  stream.write = ((text: string | Uint8Array) => {
    keep(String(text));
    return true;
  }) as typeof write;
  Object.assign(stream, { isTTY: columns !== undefined, columns, getColorDepth: () => 1 });
  return () => {
    stream.write = write;
  };
}
