import { forwardCommand } from './forward.ts';
import { UsageError } from './usage-error.ts';

const commands: Record<string, (given: string[]) => Promise<void>> = { forward: forwardCommand };

const usage = `usage: longshore <command>

  forward [--metrics <address>:<port>]   forwards the changes of every configured cluster until it is stopped
          [--lease-seconds <seconds>]    5 to 600, of 15: how soon another one takes over from one that has died`;

const [name = '', ...given] = process.argv.slice(2);
const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
try {
  if (!command) throw new UsageError(name === '' ? 'no command is given' : `there is no command ${name}`);
  await command(given);
} catch (error) {
  console.error(error instanceof UsageError ? `${error.message}\n\n${usage}` : String(error));
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
