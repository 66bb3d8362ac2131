import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

const script = fileURLToPath(new URL('../../deployment/renew-credentials.sh', import.meta.url));
const ends = new Date('2027-01-01T00:00:00.000Z');
const token = ['e30', Buffer.from(JSON.stringify({ exp: ends.getTime() / 1_000 })).toString('base64url'), 's'].join(
  '.',
);
const name = 'longshore/production/clusters/main/forward';

const kubectl = `#!/bin/sh
case "$*" in
  *serviceaccounts*) echo 'default forward' ;;
  *'create token'*) echo '${token}' ;;
  *certificate*) echo Q0E= ;;
  *) echo https://api.example.com ;;
esac`;
// Says what it was called with, and what of the secrets there are.
const aws = `#!/bin/sh
echo "$*" >>"$CALLS"
for last; do :; done
case "$*" in
  *put-secret-value*) [ "$SECRET_EXISTS" = yes ] || { echo "\${REFUSAL:-ResourceNotFoundException}"; exit 254; } ;;
esac
cat "\${last#file://}" >"$STORED"`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'renew-'));
  for (const [program, text] of Object.entries({ kubectl, aws })) {
    await writeFile(join(folder, program), `${text}\n`, { mode: 0o755 });
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function renew(environment: Record<string, string> = {}) {
  const [CALLS, STORED] = [join(folder, 'calls'), join(folder, 'stored')];
  await Promise.all([CALLS, STORED].map((path) => writeFile(path, '')));
  const PATH = [folder, dirname(process.execPath), process.env.PATH].join(delimiter);
  const env = { PATH, CALLS, STORED, CLUSTER: 'main', LONGSHORE_STAGE: 'production', ...environment };
  const { status, stdout, stderr } = spawnSync('sh', [script], { env, encoding: 'utf8' });
  const calls = (await readFile(CALLS, 'utf8')).trim().split('\n');
  return {
    status,
    stdout,
    stderr,
    calls: calls.map((call) => call.split(' --')[0]),
    stored: await readFile(STORED, 'utf8'),
  };
}

test('credentials go into a parameter, which costs nothing, unless there is a secret', async () => {
  const { status, stdout, calls, stored } = await renew();
  expect([status, stdout]).toEqual([0, `parameter /${name} has new credentials, until ${ends.toISOString()}\n`]);
  expect(calls).toEqual(['secretsmanager put-secret-value', 'ssm put-parameter']);
  expect(JSON.parse(stored)).toMatchObject({
    clusters: [{ cluster: { server: 'https://api.example.com' } }],
    users: [{ name: 'forward', user: { token } }],
  });
});

test('a secret that is there gets them', async () => {
  const { status, stdout, calls, stored } = await renew({ SECRET_EXISTS: 'yes' });
  expect([status, calls]).toEqual([0, ['secretsmanager put-secret-value']]);
  expect(stdout).toContain(`secret ${name} has new credentials`);
  expect(stored).toContain(token);
});

test.each([
  ['ssm', ['ssm put-parameter']],
  ['secretsmanager', ['secretsmanager put-secret-value', 'secretsmanager create-secret']],
])('with STORE=%s they go there', async (STORE, calls) => {
  expect(await renew({ STORE })).toMatchObject({ status: 0, calls });
});

test('what goes wrong is said, and nothing is put elsewhere instead', async () => {
  const { status, stderr, calls, stdout } = await renew({ REFUSAL: 'AccessDeniedException' });
  expect([status, stdout, calls]).toEqual([1, '', ['secretsmanager put-secret-value']]);
  expect(stderr).toContain('AccessDeniedException');
  const wrong = await renew({ STORE: 'vault' });
  expect([wrong.status, wrong.stderr]).toEqual([1, expect.stringContaining('STORE must be')]);
});
