import { readFile } from 'node:fs/promises';
import { redacted } from '../lib/runtime/redaction.ts';
import type { Command } from './command.ts';
import { printable } from './printable.ts';
import { UsageError } from './usage-error.ts';

/** A command is loaded when it is called, so that none waits for what another one needs. */
const commands: Record<string, () => Promise<Command>> = {
  run: async () => (await import('./run/run.ts')).run,
  forward: async () => (await import('./forward.ts')).forward,
  replay: async () => (await import('./replay/replay.ts')).replay,
  dlq: async () => (await import('./dlq.ts')).dlq,
  redrive: async () => (await import('./redrive.ts')).redrive,
  resync: async () => (await import('./resync.ts')).resyncCommand,
  queues: async () => (await import('./queues.ts')).queues,
  trace: async () => (await import('./trace.ts')).trace,
};

/** `help dlq` is the same as `dlq --help`. */
const [name = '', ...given] = withoutHelpWord(process.argv.slice(2));
// The AWS command line takes either, and what works for the one is to work for the other.
if (!process.env.AWS_REGION && process.env.AWS_DEFAULT_REGION) process.env.AWS_REGION = process.env.AWS_DEFAULT_REGION;
try {
  await run();
} catch (error) {
  const isUsage = error instanceof UsageError;
  console.error(isUsage ? `${shown(error.message)}\n${whereToLook()}` : shown(messageOf(error)));
  process.exitCode = isUsage ? 2 : 1;
}

async function run(): Promise<void> {
  if (asksForHelp(name) || name === 'help') return console.log(await usage());
  if (name === '--version') return console.log(await version());
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!load) throw new UsageError(name === '' ? 'no command given' : `unknown command ${name}`);
  const command = await load();
  if (given.some(asksForHelp)) return console.log(`usage: longshore ${usageOf(command)}`);
  await command.run(given);
}

/** That of the subcommand, if one is named that has its own. */
function usageOf({ usage: ofAll, usageOf: ofSome = {} }: Command): string {
  const named = given.find((each) => Object.hasOwn(ofSome, each));
  return (named === undefined ? undefined : ofSome[named]) ?? ofAll;
}

function withoutHelpWord(words: string[]): string[] {
  const [first, ...rest] = words;
  return first === 'help' && rest.length > 0 ? [...rest, '--help'] : words;
}

function asksForHelp(text: string): boolean {
  return text === '--help' || text === '-h';
}

async function usage(): Promise<string> {
  const all = await Promise.all(Object.values(commands).map((each) => each()));
  const names = Object.keys(commands);
  const lines = all.map(({ summary }, index) => `  ${names[index]?.padEnd(9)} ${summary}`);
  return `usage: longshore <command> [options]\n\n${lines.join('\n')}\n\nSee 'longshore <command> --help' for its options.
Nothing installs it: run 'npm run --silent longshore -- <command>' in a checkout of the deployed release.`;
}

/** The release, which is to be the one that is deployed. */
async function version(): Promise<string> {
  const text = await readFile(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/** Printing the whole usage would push the error off the screen. */
function whereToLook(): string {
  if (Object.hasOwn(commands, name)) return `See 'longshore ${name} --help'.`;
  return `Commands: ${Object.keys(commands).join(', ')}. See 'longshore --help'.`;
}

function messageOf(error: unknown): string {
  return error instanceof Error && error.name !== 'Error' ? `${error.name}: ${error.message}` : String(error);
}

/** AWS repeats what it was sent where it refuses it, and others what they like: neither is for a terminal as it is. */
function shown(text: string): string {
  return redacted(text).split('\n').map(printable).join('\n');
}
