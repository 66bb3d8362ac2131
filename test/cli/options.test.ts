import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { describe, expect, test } from '@jest/globals';
import { programFor } from '../../cli/program.ts';

function leavesOf(command: CommandUnknownOpts, path = ''): [path: string, command: CommandUnknownOpts][] {
  return command.commands.flatMap((each) => {
    const name = `${path} ${each.name()}`.trim();
    return each.commands.length > 0 ? leavesOf(each, name) : [[name, each] as [string, CommandUnknownOpts]];
  });
}

const leaves = leavesOf((await programFor()) as CommandUnknownOpts);
const leaf = (path: string) => {
  const found = leaves.find(([name]) => name === path)?.[1];
  if (!found) throw new Error(`there is no ${path}`);
  return found;
};

/** What a short option means wherever it is. */
const meanings: Readonly<Record<string, string>> = {
  '-n': '--namespace',
  '-A': '--all-namespaces',
  '-o': '--output',
  '-w': '--watch',
  '-y': '--yes',
};

describe.each(leaves)('%s', (_, command) => {
  test('has short options with one meaning, and long ones with their short form', () => {
    const pairs = command.options.map(({ short, long }) => [short, long] as const);
    expect(pairs.filter(([short]) => short !== undefined && meanings[short] === undefined)).toEqual([]);
    for (const [short, long] of Object.entries(meanings)) {
      expect(pairs.filter((pair) => pair[0] === short || pair[1] === long)).toEqual(
        pairs.some((pair) => pair[1] === long) ? [[short, long]] : [],
      );
    }
  });

  test('shows what is required in its usage, and in the list of options', () => {
    const required = command.options.filter(({ mandatory }) => mandatory);
    expect(required.filter(({ flags }) => !command.usage().includes(` ${flags} `))).toEqual([]);
    expect(command.options.filter(({ description }) => description.endsWith(' (required)'))).toEqual(required);
  });

  test('reads a time limit in any form', () => {
    const limits = command.options.filter(({ flags }) => flags.includes('<duration>'));
    expect(command.options.filter(({ long }) => long === '--timeout')).toEqual(limits);
    for (const { parseArg, description } of limits) {
      expect(['90', '90s', '1m30s'].map((text) => parseArg?.(text, undefined))).toEqual(
        Array(3).fill(parseArg?.('90', undefined)),
      );
      expect(description).toMatch(/ \(default: \d+[smh]\)$/);
    }
  });

  test('says whether it waits unless it is told otherwise', () => {
    const of = (long: string) => command.options.find((each) => each.long === long)?.description;
    const [wait, noWait] = [of('--wait'), of('--no-wait')];
    expect([wait?.endsWith(' (default)') ?? false, noWait?.endsWith(' (default)') ?? false]).toEqual(
      wait === undefined ? [false, false] : [command.opts().wait === true, command.opts().wait === false],
    );
  });
});

test.each([
  ['move', '<claim> --from <namespace> [options]'],
  ['accept', '<claim> --from <namespace> [options]'],
  ['restore', '<snapshot> --from <namespace> --to-name <name> [options]'],
  ['bucket create', '<name> --class <name> [options]'],
  ['bucket get', '[name] [options]'],
  ['why', '<object...> [options]'],
  ['dlq drop', '(--done | --unprocessable | --all) [options]'],
  ['status', '[options]'],
])('the usage of %s is %s', (path, usage) => {
  expect(leaf(path).usage()).toBe(usage);
});

test.each(['move', 'restore', 'offer'])('%s waits', (path) => {
  expect(leaf(path).opts().wait).toBe(true);
});

test.each(['approve', 'accept', 'bucket create', 'bucket delete'])('%s does not wait', (path) => {
  expect(leaf(path).opts().wait).toBe(false);
});

test.each([
  ['status', /\(default: all namespaces\)/],
  ['pending', /\(default: the context's\)/],
  ['why', /\(default: the context's\)/],
  ['retry', /\(default: the context's\)/],
])('%s says which namespaces it looks at', (path, text) => {
  expect(leaf(path).options.find(({ short }) => short === '-n')?.description).toMatch(text);
});
