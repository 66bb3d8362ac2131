import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { longshore } from '../../support/longshore-command.ts';

/** A server that accepts connections and says nothing, as one that was stopped. */
const sockets: Socket[] = [];
const server = createServer((socket) => void sockets.push(socket.on('error', () => {})));
let folder = '';
let silent = '';
let withProgram = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  folder = await mkdtemp(join(tmpdir(), 'longshore-silent-'));
  const { port } = server.address() as AddressInfo;
  const apiVersion = 'client.authentication.k8s.io/v1';
  const exec = { apiVersion, command: 'sleep', args: ['86400'], interactiveMode: 'Never' };
  [silent, withProgram] = await Promise.all([
    write('silent', { token: 'any' }, port),
    write('with-program', { exec }, port),
  ]);
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  server.close();
  await rm(folder, { recursive: true });
});

async function write(name: string, user: object, port: number): Promise<string> {
  const path = join(folder, name);
  const config = {
    'current-context': 'main',
    contexts: [{ name: 'main', context: { cluster: 'c', user: 'u' } }],
    clusters: [{ name: 'c', cluster: { server: `https://127.0.0.1:${port}` } }],
    users: [{ name: 'u', user }],
  };
  await writeFile(path, JSON.stringify(config));
  return path;
}

test('status waits three seconds for a server, less what its own start took', async () => {
  const { code, out } = await longshore(['status', '--kubeconfig', silent]);
  expect(code).toBe(3);
  expect(out).toMatch(
    /^main NO ANSWER https:\/\/127\.0\.0\.1:\d+ \(no answer\)\n {2}! https:\/\/\S+ did not answer within [0-2]\.\d s\n$/,
  );
});

test('a program for credentials that says nothing is not waited for', async () => {
  const { code, out } = await longshore(['status', '--kubeconfig', withProgram, '-o', 'json']);
  expect(code).toBe(3);
  expect(JSON.parse(out)).toMatchObject({
    cluster: 'main',
    needsYou: [{ text: expect.stringContaining('did not answer') }],
  });
});

test('what is misspelled is refused before a cluster is asked', async () => {
  const { code, err } = await longshore(['why', 'thing/data', '--kubeconfig', silent]);
  expect([code, err]).toEqual([2, expect.stringContaining('unknown kind "thing"')]);
  const both = await longshore(['status', '-A', '-n', 'team', '--kubeconfig', silent]);
  expect([both.code, both.err]).toEqual([
    2,
    expect.stringContaining("'-A, --all-namespaces' cannot be used with option"),
  ]);
});

test('a reason is explained without a cluster, and one that nobody knows is refused with those that are close', async () => {
  const known = await longshore(['explain', 'approvalmissing']);
  expect([known.code, known.out]).toEqual([
    0,
    expect.stringMatching(/^ApprovalMissing\n {2}Means: Nobody.*\n {2}To do: Create/),
  ]);
  const unknown = await longshore(['explain', 'AprovalMising']);
  expect([unknown.code, unknown.err]).toEqual([2, expect.stringContaining('did you mean ApprovalMissing?')]);
  const list = await longshore(['explain', 'list', '-o', 'json']);
  expect(JSON.parse(list.out).length).toBeGreaterThan(100);
});
