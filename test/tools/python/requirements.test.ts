import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { requirementsPath as awsCli } from '../../../tools/aws-cli/install.ts';
import { requirementsPath as localAws } from '../../../tools/local-aws/install.ts';
import { filesIn } from '../../../tools/python/hashes/package-index.ts';
import { withHashes } from '../../../tools/python/hashes/with-hashes.ts';
import { requirementsPath as templateCheck } from '../../../tools/template-check/checkers.ts';

const exact = /^[a-z0-9-]+==[0-9][0-9a-z.]*(; python_version (<|>=) "3\.11")?$/;
const files = [awsCli, localAws, templateCheck];

test.each([
  ['awscli', awsCli],
  ['ministack', localAws],
  ['checkov', templateCheck],
])('every Python package that comes with %s has one exact version', async (name, path) => {
  const requirements = await read(path);
  expect(requirements.filter((line) => !exact.test(line))).toEqual([]);
  expect(requirements.filter((line) => line.startsWith(`${name}==`))).toHaveLength(1);
});

test.each(files)('no source beside %s repeats a version', async (path) => {
  const folder = dirname(path);
  const versions = (await read(path)).map((line) => /==([^;]+)/.exec(line)?.[1] ?? '');
  for (const name of (await readdir(folder)).filter((each) => each.endsWith('.ts'))) {
    const text = await readFile(join(folder, name), 'utf8');
    // Of a version such as 3.12 more than a number would have to be meant.
    const long = versions.filter((version) => version.split('.').length > 2);
    expect([name, long.filter((version) => text.includes(version))]).toEqual([name, []]);
  }
});

test.each(files)('every package of %s has the checksum of what may be installed for it', async (path) => {
  const text = await readFile(path, 'utf8');
  const packages = text
    .replaceAll('\\\n', '')
    .split('\n')
    .filter((line) => /^[^#]/.test(line));
  expect(packages.filter((line) => !/( +--hash=sha256:[0-9a-f]{64})+$/.test(line))).toEqual([]);
  expect(text).not.toMatch(/https?:|--(extra-)?index-url|--find-links/);
});

describe('the checksums of a file of requirements', () => {
  const wheel = (filename: string, digit: string) => ({ filename, hashes: { sha256: digit.repeat(64) } });
  const index = async (name: string) => [
    wheel(`${name}-1.2-py3-none-any.whl`, 'a'),
    wheel(`${name}-1.2-cp311-cp311-manylinux_2_17_x86_64.manylinux2014_x86_64.whl`, 'b'),
    wheel(`${name}-1.2-cp39-abi3-macosx_11_0_arm64.whl`, 'c'),
    wheel(`${name}-1.2-cp39-cp39-manylinux2014_x86_64.whl`, 'd'),
    wheel(`${name}-1.2-cp311-cp311-win_amd64.whl`, 'e'),
    wheel(`${name}-1.3-py3-none-any.whl`, 'f'),
    wheel(`${name}-1.2.tar.gz`, '0'),
  ];

  test('are those of the wheels of its version for the systems that the tools run on, and no others', async () => {
    const text = await withHashes('# Why.\none==1.2; python_version < "3.11"\n', index);
    const hashes = ['a', 'b', 'c'].map((digit) => `    --hash=sha256:${digit.repeat(64)}`);
    expect(text).toBe(`# Why.\none==1.2; python_version < "3.11" \\\n${hashes.join(' \\\n')}\n`);
  });

  test('take the place of those that were there', async () => {
    const text = await withHashes('one==1.2\n', index);
    expect(await withHashes(text.replace('==1.2', '==1.3'), index)).toBe(
      `one==1.3 \\\n    --hash=sha256:${'f'.repeat(64)}\n`,
    );
    expect(await withHashes(text, index)).toBe(text);
  });

  test('are missed where there is no wheel: nothing is built', async () => {
    await expect(withHashes('one==2.0\n', index)).rejects.toThrow('one 2.0 has no wheel with a checksum');
  });

  test('are read from either form of the index', () => {
    const [file] = [wheel('one-1.2-py3-none-any.whl', 'a')];
    const link = `<a href="../one-1.2-py3-none-any.whl#sha256=${'a'.repeat(64)}" data-x="">one-1.2-py3-none-any.whl</a>`;
    expect(filesIn(`<!DOCTYPE html><body>${link}<br/></body>`)).toEqual([file]);
    expect(filesIn(JSON.stringify({ files: [file] }))).toEqual([file]);
  });
});

/** The packages alone. */
async function read(path: string): Promise<string[]> {
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => /^[^# ]/.test(line));
  return lines.map((line) => line.replace(/ \\$/, ''));
}
