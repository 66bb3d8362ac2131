import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { requirementsPath } from '../../../tools/local-aws/install.ts';

const requirements = (await readFile(requirementsPath, 'utf8')).split('\n').filter((line) => /^[^#]/.test(line));

test('every Python package has one exact version', () => {
  expect(
    requirements.filter((line) => !/^[a-z0-9-]+==[0-9][0-9a-z.]*(; python_version < "3.11")?$/.test(line)),
  ).toEqual([]);
  expect(requirements.find((line) => line.startsWith('ministack=='))).toBeDefined();
});

test('no source beside requirements.txt repeats a version', async () => {
  const folder = dirname(requirementsPath);
  const versions = requirements.map((line) => /==([^;]+)/.exec(line)?.[1] ?? '');
  for (const name of (await readdir(folder)).filter((each) => each.endsWith('.ts'))) {
    const text = await readFile(join(folder, name), 'utf8');
    expect([name, versions.filter((version) => text.includes(version))]).toEqual([name, []]);
  }
});
