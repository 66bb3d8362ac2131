import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { bundleFunctions } from '../../../deployment/bundle/bundle.ts';
import { resources } from '../../../lib/kubernetes/resources.ts';
import { buildMessage } from '../../../lib/queue/message.ts';
import { unzip } from '../../support/unzip.ts';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
const secret = 'wJalrXUtnFEMI-K7MDENG-bPxRfiCYEXAMPLEKEY';
/** What is thrown here is thrown in the fourth line, and its cause in the second. */
const faulty = `export function readFrom(answer: { items?: string[] }): number {
  const cause = new Error('it was sent Authorization: Bearer ${secret}');
  if (answer.items) return answer.items.length;
  throw new TypeError('items is not iterable', { cause });
}
`;
const foreign = `export const names = ['a', 'b'].map((name) => name + String(Math.random()));
export function refuse() {
  throw new Error('a package refuses ' + names.join());
}
`;
const handler = `
import { createHandler } from '${repository}lib/reconcile/serve.ts';
import { resources } from '${repository}lib/kubernetes/resources.ts';
import { consoleLog } from '${repository}lib/runtime/log.ts';
import { refuse } from '../node_modules/faulty/index.js';

const step = {
  name: 'count',
  resource: resources.claim,
  read: async (_cluster: unknown, { name }: { name: string }) => ({ count: name === 'data' ? (await import('../lib/faulty.ts')).readFrom({}) : refuse() }),
};
export const handler = createHandler(step as never, {
  cluster: async () => ({}) as never,
  forgetCredentials: () => {},
  postpone: async () => {},
  maxReceives: 5,
  log: consoleLog({ function: 'count' }),
  now: () => new Date(),
});
`;
let root = '';
let deployed = '';

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'longshore-positions-'));
  for (const folder of ['functions', 'lib', 'task', 'node_modules/faulty'])
    await mkdir(join(root, folder), { recursive: true });
  await writeFile(join(root, 'lib', 'faulty.ts'), faulty);
  await writeFile(join(root, 'node_modules', 'faulty', 'index.js'), foreign);
  await writeFile(join(root, 'functions', 'count.ts'), handler);
  const [report] = await bundleFunctions({ root });
  // As Lambda does: what is in the archive, in a folder of its own.
  deployed = join(root, 'task');
  for (const [name, contents] of unzip(await readFile(report?.archivePath ?? ''))) {
    await writeFile(join(deployed, name), contents);
  }
});

afterAll(() => rm(root, { recursive: true }));

function failureToldBy(bundle: string, name = 'data'): { error: string; stack: string } {
  const [key, cause] = [
    { namespace: 'prod', name },
    { uid: 'u', resourceVersion: '1', type: 'add' as const },
  ];
  const sent = buildMessage({
    cluster: 'main',
    function: 'count',
    resource: resources.claim,
    key,
    cause,
    time: new Date(),
  });
  const attributes = { MessageGroupId: sent.groupId, ApproximateReceiveCount: '1' };
  const event = { Records: [{ messageId: 'id-1', receiptHandle: 'handle', body: sent.body, attributes }] };
  const program = `(await import(${JSON.stringify(bundle)})).handler(${JSON.stringify(event)})`;
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' });
  const lines = output.trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line)).find((line) => line.message === 'message failed');
}

test('a mistake in what is deployed is told by its place in the sources, and what caused it without credentials', () => {
  const { stack } = failureToldBy(pathToFileURL(join(deployed, 'handler.mjs')).href);
  const [first, where, ...rest] = stack.split('\n');
  expect(first).toBe('TypeError: items is not iterable');
  expect(where).toBe('    at lib/faulty.ts:4:9');
  expect(stack).toMatch(/\n\s+at .*lib\/reconcile\/reconcile\.ts:\d+:\d+\n/);
  const cause = rest.indexOf('caused by Error: it was sent Authorization: [left out]');
  expect(rest[cause + 1]).toBe('    at lib/faulty.ts:2:17');
  expect(stack).not.toContain(secret.slice(0, 12));
  expect(stack).not.toContain('.mjs');
});

test('of what a package throws its file is told, and where we called it', () => {
  const { stack } = failureToldBy(pathToFileURL(join(deployed, 'handler.mjs')).href, 'other');
  const [, where, from] = stack.split('\n');
  expect(where).toMatch(/^ {4}at node_modules\/faulty\/index\.js:\d+:\d+$/);
  expect(from).toMatch(/^ {4}at functions\/count\.ts:10:\d+$/);
});

test('without its map a bundle tells positions in itself', async () => {
  const alone = join(deployed, 'alone.mjs');
  await writeFile(alone, await readFile(join(deployed, 'handler.mjs')));
  expect(failureToldBy(pathToFileURL(alone).href).stack).toMatch(/\n\s+at .*alone\.mjs:\d+:\d+\)\n/);
});
