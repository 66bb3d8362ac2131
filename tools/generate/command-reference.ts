import type { Argument, CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { commands, groups } from '../../cli/commands.ts';
import { exitCodes } from '../../cli/exit-codes.ts';
import { programFor } from '../../cli/program.ts';
import { argumentText } from '../../cli/terminal/usage.ts';
import { table } from './table.ts';

/** docs/commands.md: every command with its options, from the definitions that the command line itself reads. */

const program: CommandUnknownOpts = await programFor();

const meanings: Record<keyof typeof exitCodes, string> = {
  done: 'Done. Also when a process that runs until stopped is stopped.',
  failed: 'Failed. The message on standard error says what to do.',
  usage: 'Usage error: nothing was done.',
  found: 'Checked, and found something that needs you.',
  interrupted: 'Interrupted: the first Ctrl-C ends the command in good order, a second one at once.',
};

export function commandReference(): string {
  const exits = Object.entries(exitCodes).map(([name, code]) => [
    String(code),
    meanings[name as keyof typeof exitCodes],
  ]);
  const parts = Object.entries(groups).map(([group, heading]) => {
    const listed = commands.filter((each) => each.group === group);
    return [`## ${heading.replace(/:$/, '')}`, ...listed.flatMap(({ name }) => chaptersOf(named(name), ''))].join(
      '\n\n',
    );
  });
  return `# Commands

<!-- Written by \`npm run generate\` from cli/. -->

${program.description()} \`longshore <command> --help\` says the same as this page, and
\`longshore completion\` makes your shell complete it.

## Exit codes

${table(['code', 'meaning'], exits)}

${parts.join('\n\n')}
`;
}

function named(name: string): CommandUnknownOpts {
  const found = program.commands.find((each) => each.name() === name);
  if (!found) throw new Error(`there is no command ${name}`);
  return found;
}

function chaptersOf(command: CommandUnknownOpts, parent: string): string[] {
  const path = `${parent}${command.name()}`;
  const help = command.createHelp();
  const isGroup = command.commands.length > 0;
  const options = help.visibleOptions(command).filter(({ long }) => long !== '--help');
  return [
    `### longshore ${path}`,
    command.description(),
    ...(isGroup ? [] : [block('sh', `longshore ${path} ${command.usage()}`)]),
    ...(isGroup ? [] : tableOf('argument', command.registeredArguments, argumentText)),
    ...tableOf('option', options, ({ flags }) => flags),
    ...afterHelp(command),
    ...command.commands.flatMap((each) => chaptersOf(each, `${path} `)),
  ];
}

function tableOf<Row extends Option | Argument>(
  what: string,
  rows: readonly Row[],
  nameOf: (row: Row) => string,
): string[] {
  if (rows.length === 0) return [];
  return [
    table(
      [what, 'meaning'],
      rows.map((row) => [code(nameOf(row)), cell(meaningOf(row))]),
    ),
  ];
}

function meaningOf({ description, argChoices, defaultValue }: Option | Argument): string {
  const isShown = defaultValue !== undefined && typeof defaultValue !== 'boolean';
  return [
    description,
    ...(argChoices ? [`one of ${argChoices.map(code).join(', ')}`] : []),
    ...(isShown ? [`default: ${code(String(defaultValue))}`] : []),
  ].join('; ');
}

/** What follows the options in the help: remarks, and examples. */
function afterHelp(command: CommandUnknownOpts): string[] {
  const written: string[] = [];
  command.configureOutput({ writeOut: (text) => written.push(text) });
  command.outputHelp();
  const [remarks = '', examples] = written
    .slice(1)
    .join('')
    .split(/^Examples?:\n/m);
  const lines = examples?.split('\n').map((line) => line.replace(/^ {2}/, ''));
  return [
    ...(remarks.trim() === '' ? [] : [/ {2}/.test(remarks) ? block('text', remarks.trim()) : remarks.trim()]),
    ...(lines ? [block('sh', lines.join('\n').trim())] : []),
  ];
}

function block(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

function code(text: string): string {
  return `\`${text}\``;
}

/** A bar would end the cell, and what stands in angle brackets would be taken for HTML. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/(?<!`)<[a-z]+>(?:=<[a-z]+>|\/<[a-z]+>)?/g, (each) => code(each));
}
