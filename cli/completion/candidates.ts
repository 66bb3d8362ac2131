import type { Argument, CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import type { Typed } from './typed.ts';
import { valuesOf } from './values.ts';

export interface Candidate {
  value: string;
  description?: string;
}

export interface Candidates {
  candidates: Candidate[];
  /** A path is expected, which shells complete by themselves. */
  isFile: boolean;
}

const none: Candidates = { candidates: [], isFile: false };

/** What the last word may become. Not yet compared with what is there of it. */
export async function candidatesFor(
  program: CommandUnknownOpts,
  before: readonly string[],
  last: string,
  maxMs?: number,
): Promise<Candidates> {
  const { expecting, ...rest } = walk(program, before);
  const typed = maxMs === undefined ? rest : { ...rest, maxMs };
  if (expecting) return valuesFor(expecting, typed, last, '');
  const [name, given] = splitAtEquals(last);
  if (given !== undefined) {
    const option = optionsOf(typed.command).find(({ long }) => long === name);
    return option ? valuesFor(option, typed, given, `${name}=`) : none;
  }
  if (last.startsWith('-')) return { candidates: optionsOf(typed.command).flatMap(namesOf), isFile: false };
  const subcommands = typed.args.length === 0 ? visibleIn(typed.command) : [];
  const argument = typed.command.registeredArguments[typed.args.length];
  const { candidates, isFile } = argument ? await valuesFor(argument, typed, last, '') : none;
  return { candidates: [...subcommands, ...candidates], isFile };
}

/** Follows the words to the command that they name. */
function walk(program: CommandUnknownOpts, words: readonly string[]): Typed & { expecting: Option | undefined } {
  let command = program;
  let expecting: Option | undefined;
  const options = new Map<string, string>();
  const args: string[] = [];
  for (const word of words) {
    if (expecting) {
      options.set(expecting.long ?? '', word);
      expecting = undefined;
    } else if (word.startsWith('-')) {
      const [name, value] = splitAtEquals(word);
      const option = optionsOf(command).find(({ long, short }) => long === name || short === name);
      if (value !== undefined) options.set(option?.long ?? '', value);
      else if (option?.required) expecting = option;
    } else {
      const next: CommandUnknownOpts | undefined =
        args.length === 0 ? command.commands.find((each) => each.name() === word) : undefined;
      if (next) command = next;
      else args.push(word);
    }
  }
  return { command, options, args, expecting };
}

function splitAtEquals(word: string): [string, string | undefined] {
  const [, name, value] = /^(--[^=]+)=(.*)$/s.exec(word) ?? [];
  return name === undefined ? [word, undefined] : [name, value];
}

/** Where a command has subcommands, its first one is what it does without any, so that its options count as well. */
function optionsOf(command: CommandUnknownOpts): readonly Option[] {
  const [first] = command.parent ? command.commands : [];
  return [...command.createHelp().visibleOptions(command), ...(first ? first.options : [])].filter(
    ({ hidden }) => !hidden,
  );
}

function visibleIn(command: CommandUnknownOpts): Candidate[] {
  const help = command.createHelp();
  return help
    .visibleCommands(command)
    .map((each) => ({ value: each.name(), description: each.summary() || each.description() }));
}

function namesOf({ long, description }: Option): Candidate[] {
  return long ? [{ value: long, description }] : [];
}

async function valuesFor(wanted: Option | Argument, typed: Typed, given: string, prefix: string): Promise<Candidates> {
  const isOption = 'flags' in wanted;
  const name = isOption ? (wanted.long ?? '') : wanted.name();
  if (wanted.argChoices)
    return { candidates: wanted.argChoices.map((value) => ({ value: prefix + value })), isFile: false };
  const placeholder = isOption ? wanted.flags : `<${name}>`;
  if (/<(?:path|file|folder|directory)>/.test(placeholder)) return { candidates: [], isFile: true };
  const values = await valuesOf({ name, placeholder, given }, typed);
  return { candidates: values.map((value) => ({ value: prefix + value })), isFile: false };
}
