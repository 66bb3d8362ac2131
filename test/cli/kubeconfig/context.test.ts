import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { stringify } from 'yaml';
import { contextOf } from '../../../cli/kubeconfig/context.ts';
import { readKubeconfigs } from '../../../cli/kubeconfig/read-kubeconfigs.ts';

const server = 'https://api.example.com';
const base64 = (text: string) => Buffer.from(text).toString('base64');
let folder = '';
let files = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longshore-kubeconfig-'));
  await mkdir(join(folder, 'pki'));
  await Promise.all(
    ['ca', 'cert', 'key', 'token'].map((name) => writeFile(join(folder, 'pki', name), `${name} file\n`)),
  );
});
afterAll(() => rm(folder, { recursive: true }));

async function written(text: string): Promise<string> {
  files += 1;
  const path = join(folder, `kubeconfig-${files}`);
  await writeFile(path, text);
  return path;
}

function kubeconfig(user: object, cluster: object = { server }, name = 'main'): object {
  return {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': name,
    contexts: [{ name, context: { cluster: 'c', user: 'u', namespace: 'ignored' } }],
    clusters: [{ name: 'c', cluster }],
    users: [{ name: 'u', user }],
  };
}

async function accessTo(user: object, cluster?: object) {
  const context = contextOf(await readKubeconfigs([await written(stringify(kubeconfig(user, cluster)))]), 'main');
  const access = await context.access();
  return { ...access, token: await access.token?.() };
}

test.each<[string, (value: object) => string]>([
  ['YAML', stringify],
  ['JSON', JSON.stringify],
])('a kubeconfig in %s is read, with data in it', async (_, format) => {
  const path = await written(
    format(kubeconfig({ token: 'secret' }, { server, 'certificate-authority-data': base64('PEM') })),
  );
  const config = await readKubeconfigs([path]);
  expect(config.currentContext).toBe('main');
  const access = await contextOf(config, 'main').access();
  expect({ ...access, token: await access.token?.() }).toEqual({
    server,
    certificateAuthority: 'PEM',
    token: 'secret',
  });
});

test('paths are relative to the kubeconfig, whichever directory the process is in', async () => {
  const certificate = { 'client-certificate': 'pki/cert', 'client-key': join(folder, 'pki', 'key') };
  expect(await accessTo(certificate, { server, 'certificate-authority': 'pki/ca' })).toEqual({
    server,
    certificateAuthority: 'ca file\n',
    clientCertificate: 'cert file\n',
    clientKey: 'key file\n',
    token: undefined,
  });
});

test('data counts before a file, and a token in a file before one in the kubeconfig', async () => {
  const user = {
    'client-certificate': 'nowhere',
    'client-certificate-data': base64('CERT'),
    'client-key-data': base64('KEY'),
    token: 'old',
    tokenFile: 'pki/token',
  };
  expect(await accessTo(user)).toMatchObject({ clientCertificate: 'CERT', clientKey: 'KEY', token: 'token file' });
});

test('a certificate that is replaced on the disk is used with the next connection', async () => {
  const path = join(folder, 'renewed');
  await writeFile(path, 'first');
  const user = { 'client-certificate': path, 'client-key-data': base64('KEY') };
  const { access } = contextOf(await readKubeconfigs([await written(stringify(kubeconfig(user)))]), 'main');
  expect((await access()).clientCertificate).toBe('first');
  await writeFile(path, 'second');
  expect((await access()).clientCertificate).toBe('second');
});

test('several files are one: of the same name the first counts, and each has its own folder', async () => {
  const first = await written(
    stringify({ ...kubeconfig({ tokenFile: 'pki/token' }), 'current-context': '', contexts: null }),
  );
  await mkdir(join(folder, 'other', 'pki'), { recursive: true });
  const second = join(folder, 'other', 'config');
  await writeFile(
    second,
    stringify(kubeconfig({ token: 'not this one' }, { server, 'certificate-authority': 'pki/ca' })),
  );
  await writeFile(join(folder, 'other', 'pki', 'ca'), 'other');
  const config = await readKubeconfigs([first, second]);
  expect(config.currentContext).toBe('main');
  const access = await contextOf(config, 'main').access();
  expect(access.certificateAuthority).toBeUndefined();
  expect(await access.token?.()).toBe('token file');
});

test('of two entries with the same name in one file the first counts', async () => {
  const config = { ...kubeconfig({ token: 'first' }) } as { users: object[] };
  config.users.push({ name: 'u', user: { token: 'second' } });
  const { access } = contextOf(await readKubeconfigs([await written(stringify(config))]), 'main');
  expect(await (await access()).token?.()).toBe('first');
});

describe('what cannot be used is refused in words', () => {
  const token = { token: 'secret' };
  test.each<[string, object, object, string]>([
    ['no server', token, {}, 'its cluster has no server'],
    ['plain HTTP', token, { server: 'http://api' }, 'must start with https://'],
    ['TLS that is not verified', token, { server, 'insecure-skip-tls-verify': true }, 'always verifies TLS'],
    ['a proxy', token, { server, 'proxy-url': 'http://p' }, 'its cluster has proxy-url, which'],
    ['another name in the certificate', token, { server, 'tls-server-name': 'a' }, 'its cluster has tls-server-name'],
    ['a user to act as', { ...token, as: 'admin' }, { server }, 'its user has as, but Longshore does not impersonate'],
    ['groups to act as', { ...token, 'as-groups': ['a'] }, { server }, 'its user has as-groups'],
    ['a password', { username: 'a', password: 'b' }, { server }, 'its user has a password'],
    ['a former plugin', { 'auth-provider': { name: 'gcp' } }, { server }, 'its user has an auth-provider'],
    ['no credentials', {}, { server }, 'its user has no token, no tokenFile, no exec'],
    ['half a certificate', { 'client-key': 'pki/key' }, { server }, 'its user has no client-certificate'],
    ['an unknown plugin', { exec: { command: 'a', apiVersion: 'v0' } }, { server }, 'has the apiVersion "v0"'],
    ['a plugin without a command', { exec: {} }, { server }, 'exec has no command'],
    [
      'a plugin that asks',
      { exec: { command: 'ask', apiVersion: 'client.authentication.k8s.io/v1', interactiveMode: 'Always' } },
      { server },
      'ask wants to ask at a terminal',
    ],
  ])('%s', async (_, user, cluster, problem) => {
    const config = await readKubeconfigs([await written(stringify(kubeconfig(user, cluster)))]);
    expect(() => contextOf(config, 'main')).toThrow(problem);
  });

  test.each<[string, string, string]>([
    ['text that is not YAML', 'users:\n- name: u\n  user: {token: secret', 'line 3 is neither valid YAML nor JSON'],
    ['a list', '[]', 'it is not an object'],
    ['entries without names', 'users: [{}]', 'one of its users has no name'],
    ['contexts that are no list', 'contexts: {}', 'contexts is not a list'],
    ['an alias of nothing', 'users: *nobody', 'aliases that cannot be resolved'],
  ])('%s', async (_, text, problem) => {
    const failure = await readKubeconfigs([await written(text)]).catch(String);
    expect(failure).toContain(problem);
    expect(failure).not.toContain('secret');
  });

  test('a file that is not there, and an authority that is not there', async () => {
    await expect(readKubeconfigs([join(folder, 'nowhere')])).rejects.toThrow(/nowhere cannot be read: .*ENOENT/);
    const missing = accessTo(token, { server, 'certificate-authority': 'nowhere' });
    await expect(missing).rejects.toThrow(/the certificate-authority .*nowhere of the kubeconfig cannot be read/);
  });

  test('names that lead nowhere', async () => {
    const config = await readKubeconfigs([await written(stringify(kubeconfig(token)))]);
    expect(() => contextOf(config, 'other')).toThrow('the kubeconfig has no context other; it has main');
    const astray = { ...kubeconfig(token), users: [] };
    const without = await readKubeconfigs([await written(stringify(astray))]);
    expect(() => contextOf(without, 'main')).toThrow('there is no user named "u"');
    expect(await readKubeconfigs([await written('')])).toMatchObject({ currentContext: undefined });
  });
});
