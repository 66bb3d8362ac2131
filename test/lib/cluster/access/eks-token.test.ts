import { expect, test } from '@jest/globals';
import { eksToken, renewed } from '../../../../lib/cluster/access/eks-token.ts';

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
