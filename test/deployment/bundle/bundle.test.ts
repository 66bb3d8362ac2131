import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { bundleFunctions } from '../../../deployment/bundle/bundle.ts';
import { unzip } from '../../support/unzip.ts';

let root = '';

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'longshore-bundle-'));
  for (const folder of ['functions', 'lib']) await mkdir(join(root, folder));
  await writeFile(join(root, 'functions', 'notes.md'), 'This is not a function.');
  await writeFile(join(root, 'lib', 'shared.ts'), 'export const greeting: string = "hello";');
  const handler = "import { greeting } from '../lib/shared.ts';\nexport const handler = (): string => greeting;\n";
  for (const name of ['second', 'first']) await writeFile(join(root, 'functions', `${name}.ts`), handler);
});

afterAll(() => rm(root, { recursive: true }));

test('each file of functions/ becomes one module that runs by itself', async () => {
  const reports = await bundleFunctions({ root });
  expect(reports.map((report) => report.name)).toEqual(['first', 'second']);
  for (const { path, bytes, bytesByPackage } of reports) {
    expect((await readFile(path)).length).toBe(bytes);
    expect([...bytesByPackage.keys()]).toEqual(['.']);
    const script = `import(${JSON.stringify(path)}).then((module) => console.log(module.handler()))`;
    expect(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' })).toBe('hello\n');
  }
});

test('only what is named is bundled, if anything is', async () => {
  const reports = await bundleFunctions({ root, names: ['second'] });
  expect(reports.map((report) => report.name)).toEqual(['second']);
});

test('the archive holds the module and its map, and is the same each time', async () => {
  const [report] = await bundleFunctions({ root });
  if (report === undefined) throw new Error('no function was bundled');
  const archive = await readFile(report.archivePath);
  const files = unzip(archive);
  expect([...files.keys()].sort()).toEqual(['handler.mjs', 'handler.mjs.map']);
  for (const [name, contents] of files) expect(contents).toEqual(await readFile(join(dirname(report.path), name)));
  await bundleFunctions({ root });
  expect(await readFile(report.archivePath)).toEqual(archive);
});

test('what is imported when it is needed is a module beside the handler, and is not loaded at the start', async () => {
  const folder = join(root, 'functions');
  await writeFile(join(root, 'lib', 'seldom.ts'), `export const text = '${'seldom '.repeat(1_000)}';`);
  const seldom = "export const handler = async () => (await import('../lib/seldom.ts')).text.length;\n";
  await writeFile(join(folder, 'third.ts'), seldom);
  const reports = await bundleFunctions({ root });
  await rm(join(folder, 'third.ts'));
  const [first, , third] = reports;
  expect(first?.laterBytes).toBe(0);
  expect(third?.bytes).toBeLessThan(1_000);
  expect(third?.laterBytes).toBeGreaterThan(7_000);
  const names = [...unzip(await readFile(third?.archivePath ?? '')).keys()].filter((name) => name.endsWith('.mjs'));
  expect(names.sort()).toEqual(['handler.mjs', expect.stringMatching(/^seldom-\w+\.mjs$/)]);
  const script = `import(${JSON.stringify(third?.path)}).then(async (module) => console.log(await module.handler()))`;
  expect(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' })).toBe('7000\n');
});

test('a dependency that cannot be loaded as an ES module is refused', async () => {
  const folder = join(root, 'functions');
  await writeFile(join(root, 'lib', 'old.cjs'), 'exports.name = require("node:os").hostname();');
  await writeFile(
    join(folder, 'first.ts'),
    "import old from '../lib/old.cjs';\nexport const handler = () => old.name;\n",
  );
  await expect(bundleFunctions({ root })).rejects.toThrow('functions/first.ts needs a CommonJS package');
});
