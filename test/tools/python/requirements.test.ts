import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { requirementsPath as localAws } from '../../../tools/local-aws/install.ts';
import { requirementsPath as templateCheck } from '../../../tools/template-check/checkers.ts';

const exact = /^[a-z0-9-]+==[0-9][0-9a-z.]*(; python_version (<|>=) "3\.11")?$/;

test.each([
  ['ministack', localAws],
  ['checkov', templateCheck],
])('every Python package that comes with %s has one exact version', async (name, path) => {
  const requirements = await read(path);
  expect(requirements.filter((line) => !exact.test(line))).toEqual([]);
  expect(requirements.filter((line) => line.startsWith(`${name}==`))).toHaveLength(1);
});

test.each([localAws, templateCheck])('no source beside %s repeats a version', async (path) => {
  const folder = dirname(path);
  const versions = (await read(path)).map((line) => /==([^;]+)/.exec(line)?.[1] ?? '');
  for (const name of (await readdir(folder)).filter((each) => each.endsWith('.ts'))) {
    const text = await readFile(join(folder, name), 'utf8');
    // Of a version such as 3.12 more than a number would have to be meant.
    const long = versions.filter((version) => version.split('.').length > 2);
    expect([name, long.filter((version) => text.includes(version))]).toEqual([name, []]);
  }
});

async function read(path: string): Promise<string[]> {
  return (await readFile(path, 'utf8')).split('\n').filter((line) => /^[^#]/.test(line));
}
