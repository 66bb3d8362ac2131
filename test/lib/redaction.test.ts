import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { redacted } from '../../lib/redaction.ts';

const marker = 'q7Zr2WxPb0Lk';

describe('a credential is left out of a text', () => {
  test.each([
    ['a header', `Authorization: Bearer ${marker}`],
    ['a header in JSON', `{"authorization":"Bearer ${marker}","host":"x"}`],
    ['a bearer token alone', `the server does not like Bearer ${marker}`],
    ['basic authentication', `Basic ${marker}==`],
    ['a token of a service account', `token eyJhbGciOiJSUzI1NiJ9.${marker}.${marker}`],
    ['a token of EKS', `k8s-aws-v1.${marker}`],
    ['keys in JSON', `{"SecretAccessKey":"${marker}","SessionToken":"${marker}"}`],
    ['keys in the environment', `AWS_SECRET_ACCESS_KEY=${marker} AWS_SESSION_TOKEN=${marker}`],
    ['a token in a kubeconfig', `{"users":[{"user":{"token":"${marker}"}}]}`],
    ['a key in a kubeconfig', `client-key-data: ${marker}`],
    ['a private key', `-----BEGIN RSA PRIVATE KEY-----\n${marker}\n${marker}\n-----END RSA PRIVATE KEY-----`],
    ['a private key that is cut off', `-----BEGIN PRIVATE KEY-----\n${marker}`],
    ['a password', `{"password":"a\\"${marker}"}`],
    ['a password in a query', `?user=x&password=${marker}&next=1`],
    ['a signature', `https://x/?X-Amz-Signature=${marker}&X-Amz-Security-Token=${marker}`],
    [
      'what AWS says of a wrong signature',
      `The request signature we calculated does not match.\n\nThe Canonical String for this request should have been\n'POST\n/\n\nhost:x\nx-amz-security-token:${marker}\n`,
    ],
    ['the contents of a Secret', `{"kind":"Secret","data":{"any":"${marker}","other":"${marker}"},"type":"Opaque"}`],
    ['the contents of a Secret that is cut off', `{"stringData":{"any":"${marker}`],
  ])('%s', (_, text) => {
    expect(redacted(text)).not.toContain(marker);
    expect(redacted(`before ${text}`)).toMatch(/^before/);
  });
});

test.each([
  'persistentvolumeclaims "copy" is forbidden: exceeded quota: claims, requested: secrets=1, used: secrets=1',
  'secrets "photos-access" already exists',
  's3:CreateBucket is not allowed to whoever this driver acts as (AccessDenied: User: arn:aws:iam::111122223333:user/x)',
  'no token in 15000 ms',
  'The Secret driver must have AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY: add them',
  'somebody wrote the marker of another token',
  'the kubeconfig cannot be used: its user has neither a token nor client-certificate-data with client-key-data',
])('what only speaks of credentials stays as it is: %s', (text) => {
  expect(redacted(text)).toBe(text);
});

test('a text that is too long to be searched is cut off, and what is left is searched', () => {
  const text = redacted(`Bearer ${marker} ${'x'.repeat(100_000)} Bearer ${marker}`);
  expect(text).not.toContain(marker);
  expect(text.length).toBeLessThan(11_000);
});

test('no text fails, and none gives anything that is not a text', () => {
  const parts = ['Bearer ', 'token', '"', ':', '=', '\\', '{', 'data', 'eyJ', '-----BEGIN ', '-', 'password', 'a', ' '];
  const texts = fc
    .array(fc.oneof(fc.constantFrom(...parts), fc.string()), { maxLength: 200 })
    .map((each) => each.join(''));
  fc.assert(
    fc.property(texts, (text) => {
      expect(redacted(redacted(text))).toEqual(expect.any(String));
    }),
    { numRuns: 500 },
  );
});
