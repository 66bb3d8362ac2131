import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { ExecCredential } from '../../../cli/kubeconfig/exec-credential.ts';
import { readExec } from '../../../cli/kubeconfig/exec-settings.ts';

const server = 'https://api.example.com';
const v1 = 'client.authentication.k8s.io/v1';
const v1beta1 = 'client.authentication.k8s.io/v1beta1';
let folder = '';
let nowMs = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longshore-exec-'));
  // It counts how often it is run, and repeats what it is told to print.
  const program =
    '#!/bin/sh\nprintf x >> "$COUNTS"\nprintf "%s" "$KUBERNETES_EXEC_INFO" > "$INFO"\ncat "$PRINTS"\ncat > /dev/null\n';
  await writeFile(join(folder, 'program'), program);
  await writeFile(join(folder, 'failing'), '#!/bin/sh\necho "log in first: access_token=abc123" >&2\nexit 3\n');
  await Promise.all(['program', 'failing'].map((name) => chmod(join(folder, name), 0o755)));
});
afterAll(() => rm(folder, { recursive: true }));
beforeEach(async () => {
  nowMs = Date.parse('2026-11-20T10:00:00Z');
  await writeFile(join(folder, 'counts'), '');
});

const refuse = (problem: string) => new Error(problem);

async function credential(printed: unknown, exec: object = {}, extensions: unknown = undefined) {
  await print(printed);
  const env = ['counts', 'info', 'prints'].map((name) => ({ name: name.toUpperCase(), value: join(folder, name) }));
  const settings = readExec({ apiVersion: v1, command: './program', env, ...exec }, folder, refuse);
  return new ExecCredential(
    settings,
    async () => 'PEM',
    { server, extensions },
    () => nowMs,
  );
}

const print = (printed: unknown) =>
  writeFile(join(folder, 'prints'), typeof printed === 'string' ? printed : JSON.stringify(printed));
const runs = async () => (await readFile(join(folder, 'counts'), 'utf8')).length;

function printing(status: object, apiVersion = v1): object {
  return { apiVersion, kind: 'ExecCredential', status };
}

function inSeconds(seconds: number): string {
  return new Date(nowMs + seconds * 1_000).toISOString();
}

test.each([v1, v1beta1])('a token by %s is kept, whoever asks for it at the same time', async (apiVersion) => {
  const given = await credential(printing({ token: 'one' }, apiVersion), { apiVersion });
  const access = await given.access();
  expect(await Promise.all([access.token?.(), access.token?.(), access.token?.()])).toEqual(['one', 'one', 'one']);
  nowMs += 24 * 60 * 60_000;
  expect(await access.token?.()).toBe('one');
  expect(await runs()).toBe(1);
  expect(access.validUntil).toBeUndefined();
});

test('a token is asked for again a minute before it ends, once for all', async () => {
  const given = await credential(printing({ token: 'one', expirationTimestamp: inSeconds(900) }));
  const { token } = await given.access();
  nowMs += 839_000;
  expect(await token?.()).toBe('one');
  await print(printing({ token: 'two', expirationTimestamp: inSeconds(900) }));
  nowMs += 1_000;
  expect(await Promise.all([token?.(), token?.()])).toEqual(['two', 'two']);
  expect(await runs()).toBe(2);
});

test('one that is short-lived is used for most of its time', async () => {
  const given = await credential(printing({ token: 'one', expirationTimestamp: inSeconds(30) }));
  const { token } = await given.access();
  nowMs += 23_000;
  expect(await token?.()).toBe('one');
  expect(await runs()).toBe(1);
});

test('a client certificate goes with the connection, and says when it needs another one', async () => {
  const status = { clientCertificateData: 'CERT', clientKeyData: 'KEY', expirationTimestamp: inSeconds(600) };
  const given = await credential(printing(status));
  const access = await given.access();
  expect(access).toEqual({ clientCertificate: 'CERT', clientKey: 'KEY', validUntil: new Date(nowMs + 540_000) });
});

test('a new connection asks anew, since the former credentials may have been refused; but not each time', async () => {
  const given = await credential(printing({ token: 'one' }));
  await given.access();
  await print(printing({ token: 'two' }));
  nowMs += 9_000;
  expect(await (await given.access()).token?.()).toBe('one');
  nowMs += 1_000;
  expect(await (await given.access()).token?.()).toBe('two');
});

test('a program is told about the cluster if it asks for that', async () => {
  const extensions = [{ name: 'client.authentication.k8s.io/exec', extension: { audience: 'a' } }];
  const given = await credential(printing({ token: 'one' }), { provideClusterInfo: true }, extensions);
  await given.access();
  expect(JSON.parse(await readFile(join(folder, 'info'), 'utf8'))).toEqual({
    apiVersion: v1,
    kind: 'ExecCredential',
    spec: {
      interactive: false,
      cluster: {
        server,
        'certificate-authority-data': Buffer.from('PEM').toString('base64'),
        config: { audience: 'a' },
      },
    },
  });
});

test('a program that does not ask is not told', async () => {
  await (await credential(printing({ token: 'one' }))).access();
  expect(JSON.parse(await readFile(join(folder, 'info'), 'utf8')).spec).toEqual({ interactive: false });
});

test.each<[string, unknown, string]>([
  ['no JSON', 'my secret', 'did not print JSON'],
  ['something else', { kind: 'Pod' }, 'did not print an ExecCredential'],
  ['another version', printing({ token: 'my secret' }, v1beta1), 'but was asked for client.authentication.k8s.io/v1'],
  ['nothing of use', printing({}), 'printed neither a token nor a client certificate'],
  ['half a certificate', printing({ clientCertificateData: 'my secret' }), 'without the other'],
  ['a wrong time', printing({ token: 'my secret', expirationTimestamp: 'soon' }), 'that is no time'],
  [
    'what has expired',
    printing({ token: 'my secret', expirationTimestamp: '2026-11-20T09:59:59Z' }),
    'have expired at 2026-11-20T09:59:59Z',
  ],
])('a program that prints %s is named, and what it printed is not repeated', async (_, printed, problem) => {
  const failure = String(await (await credential(printed)).access().catch((error) => error));
  expect(failure).toContain(`${join(folder, 'program')}, which the kubeconfig names for credentials, `);
  expect(failure).toContain(problem);
  expect(failure).not.toContain('my secret');
});

test('a program that fails says why in its own words, without credentials, and is asked again', async () => {
  const given = await credential(printing({ token: 'one' }), { command: './failing' });
  const failure = String(await given.access().catch((error) => error));
  expect(failure).toMatch(/failing, which the kubeconfig names for credentials, failed with exit code 3: log in first/);
  expect(failure).not.toContain('abc123');
  await writeFile(join(folder, 'failing'), await readFile(join(folder, 'program'), 'utf8'));
  expect(await (await given.access()).token?.()).toBe('one');
});

test('a program that is not there is named with where to get it', async () => {
  const exec = { command: 'no-such-program-anywhere', installHint: 'get it from example.com' };
  const given = await credential('', exec);
  await expect(given.access()).rejects.toThrow(
    'no-such-program-anywhere, which the kubeconfig names for credentials, cannot be found: get it from example.com',
  );
});
