import { call } from './call.ts';

// The AWS command line takes either, and what works for the one is to work for the other.
if (!process.env.AWS_REGION && process.env.AWS_DEFAULT_REGION) process.env.AWS_REGION = process.env.AWS_DEFAULT_REGION;
// Whoever has read enough, such as `head`, is told no more, and what is under way is completed.
for (const stream of [process.stdout, process.stderr]) stream.on('error', unlessReaderIsGone);
const words = withoutHelpWord(process.argv.slice(2));
if (words[0] === 'complete') await completed(words.slice(1));
else await call(words);

function unlessReaderIsGone(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

/** What the scripts of `completion` call. A shell shows nothing of what goes wrong, and waits for nothing that is open. */
async function completed(given: readonly string[]): Promise<void> {
  await (await import('./completion/complete.ts')).complete(given).catch(() => {});
  process.exit();
}

/** `help dlq drop` is the same as `dlq drop --help`; nothing at all asks for help as well. */
function withoutHelpWord(given: string[]): string[] {
  const [first, ...rest] = given;
  if (first === undefined) return ['--help'];
  return first === 'help' ? [...rest, '--help'] : given;
}
