import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { quoted } from '../../../lib/runtime/quoted.ts';
import { redacted } from '../../../lib/runtime/redaction.ts';

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
    ['a header of AWS', `Authorization: AWS4-HMAC-SHA256 Credential=a/b, SignedHeaders=x;y, Signature=${marker}`],
    ['what AWS signs, alone', `got AWS4-HMAC-SHA256 Credential=a/b, Signature=${marker}`],
    ['a header of a scheme of its own', `Authorization: token ${marker}`],
    ['a header of Kerberos', `authorization: Negotiate ${marker}`],
    ['a header in a list', `map[Authorization:[Digest x ${marker}]]`],
    ['a header in single quotes', `{'authorization': 'token ${marker}'}`],
    ['the second of two cookies', `Cookie: a=1; session=${marker}`],
    ['keys in XML', `<AccessKey><SecretAccessKey>${marker}</SecretAccessKey></AccessKey>`],
    ['keys in XML that is cut off', `<SessionToken>${marker}`],
    ['keys in XML in JSON', `\\u003cSecretAccessKey\\u003e${marker}\\u003c/SecretAccessKey\\u003e`],
    ['keys in XML in HTML', `&lt;SecretAccessKey&gt;${marker}&lt;/SecretAccessKey&gt;`],
    ['a secret of a client', `{"client_secret":"${marker}","clientSecret":"${marker}"}`],
    ['a password in an address', `Get "https://user:${marker}@host/path": no`],
    ['a token in an address', `https://${marker}@host`],
    ['a password in single quotes', `password='a ${marker}'`],
    ['JSON that was encoded', `eyJ${marker}`],
  ])('%s', (_, text) => {
    expect(redacted(text)).not.toContain(marker);
    expect(redacted(`before ${text}`)).toMatch(/^before/);
  });

  const object = {
    kind: 'Secret',
    data: { AWS_SECRET_ACCESS_KEY: marker, ends: 'with \\', more: marker },
    stringData: { BucketInfo: `{"spec":{"S3":{"accessSecretKey":"${marker}"}},"more":"${marker}"}` },
  };
  const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify(object) };

  test.each([
    ['of its own', object],
    ['that repeats another', { metadata: { annotations } }],
    ['with a password', { password: `a"}${marker}\\` }],
    ['with a header', { headers: { authorization: `token ${marker}`, cookie: `a="1"; b=${marker}` } }],
  ])('an object %s, however often it was quoted, and wherever it is cut off', (_, each) => {
    let text = JSON.stringify(each);
    for (let quoted = 0; quoted < 4; quoted += 1) {
      expect(redacted(`denied: object ${text} is too large`)).toMatch(/^denied: object .* is too large$/);
      for (let length = text.length; length > 0; length -= 1)
        expect(redacted(text.slice(0, length))).not.toContain(marker.slice(0, 4));
      text = JSON.stringify(text);
    }
  });

  test('an object whose texts have braces', () => {
    const text = `{"data":{"a":"}}{","b":{"c":"${marker}"},"d":"${marker}"},"kind":"Secret"}`;
    expect(redacted(text)).toBe('{"data":[left out],"kind":"Secret"}');
    expect(redacted(`{"token":"a\\\\","kind":"a"} and "b"`)).toBe('{"token":[left out],"kind":"a"} and "b"');
  });

  test('what quotes JSON in a sentence of ours', () => {
    expect(redacted(`type ${quoted(`{"token":"${marker}"}`)} is not known: write "create"`)).toBe(
      'type "{\\"token\\":[left out]}" is not known: write "create"',
    );
  });

  test.each([
    `Authorization: token ${marker}`,
    `password=${marker} x`,
    `{"token":"${marker}"}`,
    `https://a:${marker}@host`,
  ])('once, though it may be searched for again: %s', (text) => {
    expect(redacted(redacted(text))).toBe(redacted(text));
  });
});

test.each([
  'https://s3.example.com/path?x=a@b is not served by admin@example.com',
  'roles.rbac.authorization.k8s.io "longshore" not found',
  'managedFields have {"f:data":{"f:a":{}}}, and no data: {}',
  '<Code>AccessDenied</Code><Message>the secret key is not known</Message>',
])('what is no credential stays as it is: %s', (text) => {
  expect(redacted(text)).toBe(text);
});

describe('no text takes long, whatever is repeated in it', () => {
  const parts = [
    'eyJ-',
    '\\',
    '"',
    '\\"',
    '{',
    '"data":{',
    '\\"data\\":{\\"',
    'data\\',
    'token\\',
    'token":"',
    '://',
    ':\\',
  ];
  const more = [
    '-----BEGIN A',
    '-----END ',
    'authorization ',
    'cookie\\',
    '<secretkey',
    'Bearer ',
    '@',
    ' ',
    'secret-',
  ];

  const cpuOf = (work: () => void) => {
    const begin = process.cpuUsage();
    work();
    return process.cpuUsage(begin).user;
  };
  /** Equally many characters in all. */
  const redactAll = (parts: readonly string[], length: number) => {
    const texts = parts.map((each) => `key ${each.repeat(length / each.length)}`);
    for (let done = 0; done < 150_000; done += length) for (const each of texts) redacted(each);
  };

  // With a pattern that backtracks, a character of a text ten times as long would take ten times as long, or more.
  test.each([...parts, ...more])('%s', (part) => {
    const all = ['', ...parts].map((other) => part + other);
    redactAll(all, 1_000);
    const short = cpuOf(() => redactAll(all, 1_000));
    const long = cpuOf(() => redactAll(all, 10_000));
    expect(long / short).toBeLessThan(5);
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
