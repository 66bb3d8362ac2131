import { describe, expect, test } from '@jest/globals';
import { accessFromKubeconfig } from '../../../../lib/kubernetes/access/embedded-kubeconfig.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const server = 'https://api.example.com';

function kubeconfig(user: object, cluster: object = { server }, context = 'main'): string {
  return JSON.stringify({
    'current-context': context,
    contexts: [
      { name: 'other', context: { cluster: 'nowhere', user: 'nobody' } },
      { name: 'main', context: { cluster: 'c', user: 'u' } },
    ],
    clusters: [{ name: 'c', cluster }],
    users: [{ name: 'u', user }],
  });
}

/** A kubeconfig of which the entries of one part have a name and no more. */
function withoutBody(part: 'contexts' | 'clusters' | 'users'): string {
  const whole: Record<string, unknown> = JSON.parse(kubeconfig({ token: 'secret' }));
  return JSON.stringify({ ...whole, [part]: (whole[part] as { name: string }[]).map(({ name }) => ({ name })) });
}

test('a token is used as it is, and the authority is decoded', async () => {
  const access = accessFromKubeconfig(
    kubeconfig({ token: 'secret' }, { server, 'certificate-authority-data': base64('PEM') }),
  );
  expect(access).toMatchObject({ server, certificateAuthority: 'PEM' });
  expect(await access.token?.()).toBe('secret');
});

test('a client certificate is decoded with its key', () => {
  const access = accessFromKubeconfig(
    kubeconfig({ 'client-certificate-data': base64('CERT'), 'client-key-data': base64('KEY') }),
  );
  expect(access).toEqual({ server, clientCertificate: 'CERT', clientKey: 'KEY' });
});

describe('what cannot be used is refused with the reason', () => {
  const token = { token: 'secret' };
  const rows: [string, string, string][] = [
    ['YAML', 'apiVersion: v1', 'it is not JSON'],
    ['an empty object', '{}', 'it has no context named undefined'],
    ['a context that is not there', kubeconfig(token, { server }, 'missing'), 'it has no context named "missing"'],
    ['a cluster that is not there', kubeconfig(token, { server }, 'other'), 'it has no cluster named "nowhere"'],
    [
      'TLS that is not verified',
      kubeconfig(token, { server, 'insecure-skip-tls-verify': true }),
      'insecure-skip-tls-verify is set',
    ],
    [
      'somebody else to act as',
      kubeconfig({ ...token, as: 'admin' }),
      'its user has as, but Longshore does not impersonate',
    ],
    ['a proxy', kubeconfig(token, { server, 'proxy-url': 'http://p' }), 'its cluster has proxy-url'],
    [
      'another name in the certificate',
      kubeconfig(token, { server, 'tls-server-name': 'a.example.com' }),
      'its cluster has tls-server-name',
    ],
    ['a program for credentials', kubeconfig({ exec: { command: 'aws' } }), 'its user runs a program'],
    ['an old auth provider', kubeconfig({ 'auth-provider': { name: 'gcp' } }), 'its user runs a program'],
    [
      'an authority in a file',
      kubeconfig(token, { server, 'certificate-authority': '/etc/ca.crt' }),
      'it refers to a file: create it with `kubectl config view --flatten`',
    ],
    [
      'a client certificate in a file',
      kubeconfig({ 'client-certificate': '/etc/a.crt', 'client-key': '/etc/a.key' }),
      'its user has neither a token nor client-certificate-data',
    ],
    ['a token in a file', kubeconfig({ tokenFile: '/etc/token' }), 'its user has neither a token nor'],
    ['a context without a body', withoutBody('contexts'), 'it has no cluster named undefined'],
    ['a cluster without a body', withoutBody('clusters'), 'its cluster has no server'],
    ['a user without a body', withoutBody('users'), 'its user has neither a token nor'],
    ['null', 'null', 'it is not JSON'],
    ['no server', kubeconfig(token, {}), 'its cluster has no server'],
    ['a user without credentials', kubeconfig({}), 'its user has neither a token nor client-certificate-data'],
    [
      'a certificate without its key',
      kubeconfig({ 'client-certificate-data': base64('CERT') }),
      'its user has neither a token nor',
    ],
    ['a password', kubeconfig({ username: 'a', password: 'b' }), 'its user has neither a token nor'],
  ];
  test.each(rows)('%s', (_, text, reason) => {
    expect(() => accessFromKubeconfig(text)).toThrow(`the kubeconfig cannot be used: ${reason}`);
  });

  test('and the reason never repeats what is secret', () => {
    const text = kubeconfig({ token: 'top-secret' }, { server, 'insecure-skip-tls-verify': true });
    expect(() => accessFromKubeconfig(text)).toThrow(/^(?!.*top-secret)/);
  });
});
