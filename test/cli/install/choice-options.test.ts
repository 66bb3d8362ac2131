import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { chosen, withChoices, wordsFor } from '../../../cli/install/choice-options.ts';
import { selfSignedCertificate } from '../../../tools/control-plane/certificate.ts';

const read = (...words: string[]) => {
  const command = withChoices(new Command())
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
  return chosen(command.parse(words, { from: 'user' }).opts());
};

test('what is not said is not chosen, so that it stays as it was', () => {
  expect(read()).toEqual({});
});

test('what is said is chosen, in either way', () => {
  expect(read('--capabilities', 'buckets,transfers', '--without-run-role', '--function-roles')).toEqual({
    capabilities: ['transfers', 'buckets'],
    runRole: false,
    functionRoles: true,
  });
  expect(read('--run-role', '--without-function-roles', '--without-user-roles', '--without-reference-grants')).toEqual({
    runRole: true,
    functionRoles: false,
    userRoles: false,
    referenceGrants: false,
  });
});

test('what was chosen can be said in words, and then means the same', () => {
  const choices = {
    capabilities: ['transfers', 'data-sources'],
    runRole: false,
    functionRoles: true,
    userRoles: true,
    referenceGrants: false,
    webhook: { service: { namespace: 'longshore-system', name: 'longshore-run' } },
  } as const;
  expect(read(...wordsFor(choices))).toEqual(choices);
});

describe('the webhook', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'longshore-choices-'));
    await writeFile(join(folder, 'ca.crt'), selfSignedCertificate().cert);
    await writeFile(join(folder, 'empty'), '');
  });
  afterAll(() => rm(folder, { recursive: true }));

  test('is at an address or a Service, with or without an authority, or nowhere', async () => {
    const caBundle = await readFile(join(folder, 'ca.crt'), 'utf8');
    expect(read('--admission-url', 'https://10.0.0.1:8443/longshore')).toEqual({
      webhook: { url: 'https://10.0.0.1:8443/longshore' },
    });
    expect(read('--admission-service', 'a/b', '--admission-ca', join(folder, 'ca.crt'))).toEqual({
      webhook: { service: { namespace: 'a', name: 'b' }, caBundle },
    });
    expect(read('--without-admission')).toEqual({ webhook: null });
  });

  test("an authority's private key that is in the same file stays there", async () => {
    const { cert, key } = selfSignedCertificate();
    await writeFile(join(folder, 'combined.pem'), `subject=CN=ca\n${key}${cert}${cert}`);
    const { webhook } = read('--admission-url', 'https://a', '--admission-ca', join(folder, 'combined.pem'));
    expect(webhook?.caBundle).toBe(`${cert}${cert}`);
    await writeFile(join(folder, 'key.pem'), key);
    const keyOnly = () => read('--admission-url', 'https://a', '--admission-ca', join(folder, 'key.pem'));
    expect(keyOnly).toThrow('must be a file with a certificate');
  });

  test('an authority that has ended is refused with the day, unless the file has its successor as well', async () => {
    const [ended, present] = [selfSignedCertificate(-40).cert, selfSignedCertificate().cert];
    const day = new Date(Date.now() - 40 * 24 * 3_600_000).toISOString().slice(0, 10);
    await writeFile(join(folder, 'ended.crt'), ended);
    await writeFile(join(folder, 'both.crt'), `${ended}${present}`);
    const withAuthority = (name: string) => read('--admission-url', 'https://a', '--admission-ca', join(folder, name));
    expect(() => withAuthority('ended.crt')).toThrow(`ended.crt ended on ${day}: the API server would trust nothing`);
    expect(withAuthority('both.crt').webhook?.caBundle).toBe(`${ended}${present}`);
  });

  test.each<[string, string[]]>([
    ['must be an https address', ['--admission-url', 'http://10.0.0.1']],
    ['must be an https address', ['--admission-url', 'https://user@10.0.0.1']],
    ['must be an https address', ['--admission-url', '10.0.0.1:8443']],
    ['must be an https address', ['--admission-url', 'https:10.0.0.1']],
    ['must be an https address', ['--admission-url', ' https://10.0.0.1']],
    ['must be an https address', ['--admission-url', 'https://10.0.0.1/?']],
    ['must be <namespace>/<name>', ['--admission-service', 'longshore-run']],
    ['must be <namespace>/<name>', ['--admission-service', 'a/b/c']],
    ['must be a file with a certificate', ['--admission-url', 'https://a', '--admission-ca', 'empty']],
    ['must be a file with a certificate', ['--admission-url', 'https://a', '--admission-ca', 'none']],
    ['cannot be used with option', ['--admission-url', 'https://a', '--admission-service', 'a/b']],
    ['cannot be used with option', ['--without-admission', '--admission-service', 'a/b']],
    ['is given together with', ['--admission-ca', 'ca.crt']],
  ])('%s: %j', (message, words) => {
    const given = words.map((word, index) => (words[index - 1] === '--admission-ca' ? join(folder, word) : word));
    expect(() => read(...given)).toThrow(message);
  });
});

test.each([['run-role'], ['function-roles'], ['user-roles'], ['reference-grants']])(
  'both --%s and its opposite are refused',
  (name) => {
    expect(() => read(`--${name}`, `--without-${name}`)).toThrow(/cannot be used with option/);
  },
);
