import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

/**
 * `npm run check` fails when a mistake of mistakes.ts compiles, whatever keeps the others from it. Here the compiler gets
 * the same lines without leave to be wrong, and has to say of each what is expected.
 */

const root = fileURLToPath(new URL('../../../', import.meta.url));
const source = join(root, 'test/lib/reconcile/mistakes.ts');
const leave = /^ *\/\/ @ts-expect-error: (.*)$/;
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'typed-seam-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What the compiler says to the lines of a file, by their numbers. */
function complaintsAbout(text: string): Promise<Map<number, string>> {
  const file = join(folder, 'mistakes.ts');
  writeFileSync(file, text.replaceAll("'../../../", `'${root}`));
  const compilerOptions = { typeRoots: [join(root, 'node_modules/@types')] };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  const config = { extends: join(root, 'tsconfig.json'), compilerOptions, include: [file] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  return new Promise((resolve) => {
    execFile(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], { cwd: folder }, (_, output) => {
      const found = output.matchAll(/^.*mistakes\.ts\((\d+),\d+\): error TS\d+: (.*)$/gm);
      resolve(new Map([...found].map(([, line, complaint = '']) => [Number(line), complaint])));
    });
  });
}

test('the compiler names each mistake for what it is, and nothing else', async () => {
  const lines = readFileSync(source, 'utf8').split('\n');
  const expected = lines.flatMap((line, index) => {
    const [, complaint] = leave.exec(line) ?? [];
    return complaint === undefined ? [] : [[index + 2, expect.stringContaining(complaint)]];
  });
  expect(expected.length).toBeGreaterThan(20);
  const complaints = await complaintsAbout(lines.map((line) => line.replace(leave, '//')).join('\n'));
  expect([...complaints]).toEqual(expected);
}, 120_000);
