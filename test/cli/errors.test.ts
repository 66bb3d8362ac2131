import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { bareEnvironment } from '../support/bare-environment.ts';

const main = fileURLToPath(new URL('../../cli/main.ts', import.meta.url));
let said = '';
/** A CloudFormation that refuses whatever it is asked with this. */
const server = createServer((_, response) => {
  response.statusCode = 403;
  response.end(
    `<ErrorResponse><Error><Type>Sender</Type><Code>SignatureDoesNotMatch</Code><Message>${said}</Message></Error></ErrorResponse>`,
  );
});

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => {
  server.close();
});

async function refusalOf(args: string[]): Promise<{ code: number | null; stderr: string }> {
  const env = bareEnvironment({
    AWS_ENDPOINT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
  });
  const child = spawn(process.execPath, [main, ...args], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const [stderr] = await Promise.all([text(child.stderr), once(child, 'close')]);
  return { code: child.exitCode, stderr };
}

const token = 'IQoJb3JpZ2luX2VjEXAMPLETOKEN';

test('what AWS repeats of a request when it refuses it is not shown', async () => {
  said = `The request signature does not match. The Canonical String for this request should have been
'POST
/

x-amz-security-token:${token}'`;
  const { code, stderr } = await refusalOf(['queues', '--stage', 'test']);
  expect(stderr).toContain('the secret key does not belong to the access key: check AWS_PROFILE');
  expect([code, stderr]).toEqual([1, expect.stringContaining('the stack longshore-test cannot be read')]);
  expect(stderr).toContain('The request signature does not match');
  expect(stderr).not.toContain(token);
  said = `header x-amz-security-token: ${token} is wrong`;
  expect((await refusalOf(['queues', '--stage', 'test'])).stderr).toContain(
    'x-amz-security-token: [left out] is wrong',
  );
});

test('nobody writes on a terminal by an error, and its lines stay lines', async () => {
  said = 'first&#x9b;31m line\nsecond \u202e line';
  const { stderr } = await refusalOf(['queues', '--stage', 'test']);
  expect(stderr).toContain('first?31m line\nsecond ? line');
  const { code, stderr: misused } = await refusalOf(['\u001b[2J\u009b']);
  expect([code, misused.split('\n')[0]]).toEqual([2, "unknown command '?[2J?'"]);
  expect(misused.split('\n')[1]).toBe("See 'longshore --help'.");
});
