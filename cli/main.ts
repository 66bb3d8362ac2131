import { redacted } from '../lib/redaction.ts';
import type { Command } from './command.ts';
import { printable } from './printable.ts';
import { UsageError } from './usage-error.ts';

/** A command is loaded when it is called, so that none waits for what another one needs. */
const commands: Record<string, () => Promise<Command>> = {
  forward: async () => (await import('./forward.ts')).forward,
  replay: async () => (await import('./replay/replay.ts')).replay,
  dlq: async () => (await import('./dlq.ts')).dlq,
  redrive: async () => (await import('./redrive.ts')).redrive,
  resync: async () => (await import('./resync.ts')).resyncCommand,
  queues: async () => (await import('./queues.ts')).queues,
  trace: async () => (await import('./trace.ts')).trace,
};

const [name = '', ...given] = process.argv.slice(2);
try {
  await run();
} catch (error) {
  const isUsage = error instanceof UsageError;
  console.error(isUsage ? `${shown(error.message)}\n\n${await usage()}` : shown(messageOf(error)));
  process.exitCode = isUsage ? 2 : 1;
}

async function run(): Promise<void> {
  if (name === '--help' || name === 'help') return console.log(await usage());
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!load) throw new UsageError(name === '' ? 'no command is given' : `there is no command ${name}`);
  const command = await load();
  if (given.includes('--help')) return console.log(`usage: longshore ${command.usage}`);
  await command.run(given);
}

/** Of the command that was called, where there is one. */
async function usage(): Promise<string> {
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  const called = await Promise.all((load ? [load] : Object.values(commands)).map((each) => each()));
  return `usage: longshore <command>\n\n${called.map((command) => `  ${command.usage}`).join('\n\n')}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error && error.name !== 'Error' ? `${error.name}: ${error.message}` : String(error);
}

/** AWS repeats what it was sent where it refuses it, and others what they like: neither is for a terminal as it is. */
function shown(text: string): string {
  return redacted(text).split('\n').map(printable).join('\n');
}
