import { describe, expect, test } from '@jest/globals';
import { eksToken, renewed } from '../../../../lib/kubernetes/access/eks-token.ts';

const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' };
const identity = { clusterName: 'shop', region: 'eu-central-1', credentials };
const now = new Date('2026-03-01T12:00:00Z');

function urlIn(token: string): URL {
  expect(token).toMatch(/^k8s-aws-v1\.[A-Za-z0-9_-]+$/);
  return new URL(Buffer.from(token.slice('k8s-aws-v1.'.length), 'base64url').toString('utf8'));
}

test('the token is a presigned question who signed it, for a minute, bound to the cluster', async () => {
  const url = urlIn(await eksToken(identity, now));
  expect(`${url.origin}${url.pathname}`).toBe('https://sts.eu-central-1.amazonaws.com/');
  expect(Object.fromEntries(url.searchParams)).toEqual({
    Action: 'GetCallerIdentity',
    Version: '2011-06-15',
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': 'AKIDEXAMPLE/20260301/eu-central-1/sts/aws4_request',
    'X-Amz-Date': '20260301T120000Z',
    'X-Amz-Expires': '60',
    'X-Amz-SignedHeaders': 'host;x-k8s-aws-id',
    'X-Amz-Signature': expect.stringMatching(/^[0-9a-f]{64}$/),
  });
});

test('the same moment gives the same token, and another cluster another signature', async () => {
  const token = await eksToken(identity, now);
  expect(await eksToken(identity, now)).toBe(token);
  const other = urlIn(await eksToken({ ...identity, clusterName: 'other' }, now));
  expect(other.searchParams.get('X-Amz-Signature')).not.toBe(urlIn(token).searchParams.get('X-Amz-Signature'));
});

test('temporary credentials carry their session along', async () => {
  const url = urlIn(await eksToken({ ...identity, credentials: { ...credentials, sessionToken: 'a+b/c=' } }, now));
  expect(url.searchParams.get('X-Amz-Security-Token')).toBe('a+b/c=');
});

test('a token is kept for fourteen minutes and then made anew', async () => {
  let time = now;
  let made = 0;
  const token = renewed(
    async (at) => `${++made} at ${at.toISOString().slice(11, 16)}`,
    () => time,
  );
  const after = (minutes: number) => {
    time = new Date(now.getTime() + minutes * 60_000);
    return token();
  };
  expect([await token(), await after(13.9), await after(14), await after(27)]).toEqual([
    '1 at 12:00',
    '1 at 12:00',
    '2 at 12:14',
    '2 at 12:14',
  ]);
});

describe('a token that could not be fetched', () => {
  function failingTimes(failures: number) {
    let made = 0;
    return renewed(
      async () => {
        made += 1;
        if (made <= failures) throw new Error(`no secret at attempt ${made}`);
        return `token ${made}`;
      },
      () => now,
    );
  }

  test('is fetched anew at the next call, and then kept', async () => {
    const token = failingTimes(2);
    await expect(token()).rejects.toThrow('attempt 1');
    await expect(token()).rejects.toThrow('attempt 2');
    expect([await token(), await token()]).toEqual(['token 3', 'token 3']);
  });

  test('fails all who waited for it, by one attempt', async () => {
    const token = failingTimes(1);
    const results = await Promise.allSettled([token(), token()]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await token()).toBe('token 2');
  });

  test('does not take a newer one with it', async () => {
    let time = now;
    const late = Promise.withResolvers<string>();
    const answers = [late.promise, Promise.resolve('newer'), Promise.resolve('newest')];
    const token = renewed(
      () => answers.shift() ?? Promise.reject(new Error('asked too often')),
      () => time,
    );
    const first = token();
    time = new Date(now.getTime() + 14 * 60_000);
    expect(await token()).toBe('newer');
    late.reject(new Error('too late'));
    await expect(first).rejects.toThrow('too late');
    expect(await token()).toBe('newer');
  });
});
