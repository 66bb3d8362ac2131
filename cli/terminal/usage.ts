import type { Argument, CommandUnknownOpts } from '@commander-js/extra-typings';

const commanderDefault = '[options]';

/**
 * Makes the help of every command below say what is required: the usage has the arguments and the required options as
 * people type them, and `[options]` for the rest.
 */
export function showRequired(command: CommandUnknownOpts): void {
  for (const each of command.commands) showRequired(each);
  const required = command.options.filter(({ mandatory }) => mandatory);
  for (const each of required) each.description += ' (required)';
  // A command that has written its own says more, such as which of several options is required.
  if (command.commands.length > 0 || !command.usage().startsWith(commanderDefault)) return;
  const words = [...command.registeredArguments.map(argumentText), ...required.map(({ flags }) => flags)];
  command.usage([...words, commanderDefault].join(' '));
}

export function argumentText(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}
