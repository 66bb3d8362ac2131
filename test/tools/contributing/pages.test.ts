import { execFile, execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { type Action, actionsOf, changed } from './page.ts';

/**
 * Follows each page of docs/contributing word for word, in a copy of the repository. All have one copy, in which tsc checks
 * only what a page changes: to copy and to check everything for each would take most of the time.
 */

const root = fileURLToPath(new URL('../../../', import.meta.url));
/** Everything that is generated or checked. */
const copied = ['cli', 'deployment', 'docs', 'events', 'functions', 'lib', 'manifests', 'test', 'tools'];
const files = ['.gitignore', 'biome.json', 'jest.config.js', 'package.json', 'serverless.yml', 'tsconfig.json'];

const path = [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter);

let copy = '';
/** What is not, or not so, in the repository: files that a page or `npm run generate` has written, and new folders. */
const touched = new Set<string>();

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'longshore-contributing-'));
  execFileSync('cp', ['-R', ...[...copied, ...files].map((name) => join(root, name)), copy]);
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));
afterEach(() => {
  for (const path of touched) {
    rmSync(join(copy, path), { recursive: true, force: true });
    if (existsSync(join(root, path))) copyFileSync(join(root, path), join(copy, path));
  }
  touched.clear();
});

/** `npm run check`, of nothing that a page leaves as it was: the whole would take most of the time. */
function checkOf(paths: readonly string[]): string {
  const sources = paths.filter((path) => path.endsWith('.ts'));
  const include = ['cli', 'functions', 'lib', ...sources.filter((path) => path.startsWith('test/'))];
  writeFileSync(join(copy, 'tsconfig.narrow.json'), JSON.stringify({ extends: './tsconfig.json', include }));
  const tsc = 'tsc -p tsconfig.narrow.json --singleThreaded --incremental --tsBuildInfoFile .build/checked.tsbuildinfo';
  return `${tsc} && biome ci --colors=off ${sources.join(' ')}`;
}

function run(command: string): Promise<{ code: number; output: string }> {
  // What node compiles has the copy's path, which nobody has again.
  const env = { ...process.env, PATH: path, NODE_COMPILE_CACHE: join(copy, '.build/compiled') };
  return new Promise((resolve) => {
    execFile('sh', ['-c', command], { cwd: copy, env }, (error, stdout, stderr) => {
      for (const [, wrote = ''] of stdout.matchAll(/^wrote (.+)$/gm)) touched.add(wrote);
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? 1 : 0, output: `${stdout}${stderr}` });
    });
  });
}

async function follow(action: Action, paths: readonly string[]): Promise<void> {
  switch (action.do) {
    case 'write': {
      const folder = mkdirSync(dirname(join(copy, action.path)), { recursive: true });
      touched.add(folder === undefined ? action.path : relative(copy, folder));
      return writeFileSync(join(copy, action.path), action.text, { flag: 'wx' });
    }
    case 'change': {
      const path = join(copy, action.path);
      touched.add(action.path);
      return writeFileSync(path, changed(readFileSync(path, 'utf8'), action.diff));
    }
    case 'run': {
      const { command } = action;
      const { code, output } = await run(command === 'npm run check' ? checkOf(paths) : command);
      const failure = code === 0 ? '' : output;
      return expect({ command, failure }).toEqual({ command, failure: '' });
    }
    case 'see': {
      const { output } = await run(action.command);
      return expect(output.split('\n')).toEqual(expect.arrayContaining([...action.lines]));
    }
  }
}

const pages = readdirSync(join(root, 'docs/contributing'));

test.each(pages)('%s leads to what passes', async (page) => {
  const actions = actionsOf(page);
  const commands = actions.flatMap((action) => (action.do === 'run' ? [action.command] : []));
  expect(commands).toEqual(['npm run generate', 'npm run check', expect.stringMatching(/^npm test -- .*test\/lib\//)]);
  const paths = actions.flatMap((action) => ('path' in action ? [action.path] : []));
  for (const action of actions) await follow(action, paths);
});

test('what no page leaves out is named as well: a step in no list, a queue that nobody sends to, a role of nobody', async () => {
  for (const action of actionsOf('add-a-step.md')) {
    if (action.do === 'see') break;
    if (action.do === 'write') await follow(action, []);
  }
  await follow({ do: 'change', path: 'serverless.yml', diff: '       - populate-claim\n-      - check-source\n' }, []);
  await follow({ do: 'write', path: 'manifests/rbac/gone.yaml', text: 'kind: ServiceAccount\n' }, []);
  const { code, output } = await run('npm run -s generate');
  expect(code).toBe(1);
  expect(output.split('\n').filter((line) => line.startsWith('missing: '))).toEqual([
    'missing: lib/capabilities/declarations.ts: add the declaration of retire-driver to buckets',
    'missing: serverless.yml: add check-source to sendsTo of forward, as changes lead to it',
    'missing: manifests/rbac/gone.yaml: remove it, as no such function is declared',
  ]);
});

test('a diff applies where it fits once, and nowhere else', () => {
  expect(changed('a\nb\n\nc\n', ' a\n-b\n+d\n\n c\n')).toBe('a\nd\n\nc\n');
  expect(changed('a\nb\nc\n', '+z\n a\n@@\n c\n+d\n')).toBe('z\na\nb\nc\nd\n');
  expect(() => changed('a\na\n', ' a\n+b\n')).toThrow('found 2 times, instead of once:\na\n');
  expect(() => changed('a\n', '-b\n')).toThrow('found 0 times');
});
