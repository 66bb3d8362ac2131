import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { expect, test } from '@jest/globals';
import { programFor } from '../../cli/program.ts';

interface Documented {
  path: string;
  help: string;
  options: string[];
}

/** The help of each command that can be called, as `--help` prints it. */
async function documented(): Promise<Documented[]> {
  const all: Documented[] = [];
  const walk = (command: CommandUnknownOpts, path: string) => {
    for (const each of command.commands) {
      const name = `${path} ${each.name()}`;
      walk(each, name);
      if (each.commands.length > 0) continue;
      let help = '';
      each.configureOutput({ writeOut: (text) => (help += text) });
      each.outputHelp();
      const options = each.options.flatMap(({ long, short }) => [long, short].filter((word) => word !== undefined));
      all.push({ path: name, help, options });
    }
  };
  walk((await programFor()) as CommandUnknownOpts, 'longshore');
  return all;
}

const all = await documented();

test('every command is there', () => {
  const paths = all.map(({ path }) => path);
  expect(paths).toEqual(
    expect.arrayContaining(['longshore run', 'longshore dlq list', 'longshore dlq drop', 'longshore trace']),
  );
});

test.each(all.map((each) => [each.path, each] as const))(
  'the help of %s ends with examples, with options that it has',
  (path, { help, options }) => {
    const [, examples = ''] = help.split(/^Examples?:\n/m);
    const lines = examples.trimEnd().split('\n');
    expect(lines.filter((line) => !line.startsWith(`  ${path}`))).toEqual([]);
    const used = [...examples.matchAll(/(?<=\s)--?[a-z][a-z-]*/g)].map(([option]) => option);
    expect(used.filter((option) => !options.includes(option))).toEqual([]);
  },
);
