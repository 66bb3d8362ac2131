import { programFor } from '../program.ts';
import { candidatesFor } from './candidates.ts';
import { splitLine } from './split-line.ts';

/** What the scripts take for an answer: the words, and whether files are completed where there are none. */
const files = 0;
const noFiles = 4;

/** A shell gives the words to something that evaluates them: no word that means more to it than itself is passed on. */
const harmless = /^[\w.:/@=%+,-]+$/;

/**
 * Answers a shell: `-- <words>`, of which the last one is to be completed, or `--line <line>` up to the cursor. Whatever
 * goes wrong is silent, as nobody has asked for anything yet.
 */
export async function complete(given: readonly string[]): Promise<void> {
  const [form, ...rest] = given;
  const words = form === '--line' ? splitLine(rest[0] ?? '').slice(1) : rest;
  const typed = words.at(-1) ?? '';
  const program = await programFor(words.slice(0, -1));
  const { candidates, isFile } = await candidatesFor(program, words.slice(0, -1), typed);
  const shown = candidates.filter(({ value }) => value.startsWith(typed) && harmless.test(value));
  for (const { value, description = '' } of shown) console.log(`${value}\t${description.replaceAll(/\s+/g, ' ')}`);
  console.log(`:${isFile ? files : noFiles}`);
}
