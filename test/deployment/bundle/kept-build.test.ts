import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { keptBuild } from '../../../deployment/bundle/kept-build.ts';

let folder = '';
let root = '';
let builds = 0;

/** What is read: a source, and a file of a package. */
const inputs = ['lib/a.ts', 'node_modules/@of/pack/index.js'];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longshore-kept-'));
  root = join(folder, 'root');
  builds = 0;
  for (const name of ['lib/within', 'node_modules/@of/pack']) await mkdir(join(root, name), { recursive: true });
  for (const name of [...inputs, 'lib/within/b.ts', 'lock.json', 'node_modules/@of/pack/package.json', 'notes.md']) {
    await writeFile(join(root, name), 'first');
  }
  // A package that is written while something is built is of an unknown version.
  await pause(150);
});
afterEach(() => rm(folder, { recursive: true }));

function built(meanwhile: () => Promise<void> = async () => {}): Promise<{ texts: string[]; bytes: Uint8Array }> {
  const all = ['lib', 'lock.json', 'later.json'].map((name) => join(root, name));
  return keptBuild({ root, all, cache: join(folder, 'cache') }, async () => {
    builds += 1;
    const texts = await Promise.all(inputs.map((name) => readFile(join(root, name), 'utf8')));
    await meanwhile();
    return { result: { texts, bytes: Buffer.from(texts.join()) }, inputs };
  });
}

const write = (name: string, text = 'second') => writeFile(join(root, name), text);

test('what is unchanged is not built again, though it was touched, moved, or something beside it has changed', async () => {
  const first = await built();
  await utimes(join(root, 'lib/a.ts'), new Date(), new Date());
  await write('notes.md');
  expect(await built()).toEqual(first);
  await cp(root, join(folder, 'copy'), { recursive: true });
  await rename(root, join(folder, 'moved'));
  root = join(folder, 'copy');
  expect(await built()).toEqual({ texts: ['first', 'first'], bytes: Buffer.from('first,first') });
  expect(builds).toBe(1);
});

test.each<[string, () => Promise<void>]>([
  ['a source that was read is changed', () => write('lib/a.ts')],
  ['a source that was not read is changed', () => write('lib/within/b.ts')],
  ['a source is new', () => write('lib/within/a.ts', '')],
  ['a source has another name', () => rename(join(root, 'lib/within/b.ts'), join(root, 'lib/within/c.ts'))],
  ['a source is gone', () => rm(join(root, 'lib/within/b.ts'))],
  ['a file that counts is changed', () => write('lock.json')],
  ['a file that counts is new', () => write('later.json')],
  ['a file of a package is changed', () => write('node_modules/@of/pack/index.js')],
  ['the manifest of a package is changed', () => write('node_modules/@of/pack/package.json')],
  ['the manifest of a package is gone', () => rm(join(root, 'node_modules/@of/pack/package.json'))],
])('it is built again when %s', async (_, change) => {
  await built();
  await change();
  const { texts } = await built();
  expect(builds).toBe(2);
  expect(texts).toEqual(await Promise.all(inputs.map((name) => readFile(join(root, name), 'utf8'))));
});

test('after a change and back, what was built first is of use again', async () => {
  await built();
  await write('lib/a.ts');
  expect((await built()).texts).toEqual(['second', 'first']);
  await write('lib/a.ts', 'first');
  expect((await built()).texts).toEqual(['first', 'first']);
  expect(builds).toBe(2);
});

test.each(['lib/a.ts', 'node_modules/@of/pack/index.js'])(
  'what is built while %s changes is not kept',
  async (name) => {
    await built(() => write(name));
    expect((await built()).texts).toContain('second');
    expect(builds).toBe(2);
  },
);

test('what is kept and was damaged is built again, and what cannot be kept is built each time', async () => {
  await built();
  const [name = ''] = await readdir(join(folder, 'cache'));
  const contents = await readFile(join(folder, 'cache', name));
  await writeFile(join(folder, 'cache', name), contents.subarray(0, -1));
  await built();
  expect(builds).toBe(2);
  expect(await readFile(join(folder, 'cache', name))).toEqual(contents);
  await rm(join(folder, 'cache'), { recursive: true });
  await writeFile(join(folder, 'cache'), 'no folder');
  for (const count of [3, 4]) {
    expect((await built()).texts).toEqual(['first', 'first']);
    expect(builds).toBe(count);
  }
});

test('of what fails nothing is kept', async () => {
  await expect(built(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(builds).toBe(1);
  expect((await built()).texts).toEqual(['first', 'first']);
  expect(builds).toBe(2);
  expect(await readdir(join(folder, 'cache'))).toHaveLength(1);
});

test('of two at the same time one builds; of many builds, the last few are kept', async () => {
  const [one, other] = await Promise.all([built(), built()]);
  expect(one).toEqual(other);
  expect(builds).toBe(1);
  expect(await readdir(join(folder, 'cache'))).toHaveLength(1);
  for (let at = 0; at < 6; at += 1) {
    await write('lib/a.ts', `version ${at}`);
    await built();
  }
  expect(await readdir(join(folder, 'cache'))).toHaveLength(4);
  await write('lib/a.ts', 'version 4');
  const before = builds;
  await built();
  expect(builds).toBe(before);
});
