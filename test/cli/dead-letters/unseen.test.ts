import { DeleteQueueCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { messageAbout } from '../../lib/recovery/dead-letters/case-queues.ts';
import { pairOf, startAws } from './case-aws.ts';

/** What a list does not show must not look as if it were not there. */

let aws: Awaited<ReturnType<typeof startAws>>;
beforeAll(async () => {
  aws = await startAws(['match-transfer', 'request-bucket'], ['main']);
  const malformed = { ...messageAbout('x'), body: 'no JSON' };
  await pairOf(aws, 'match-transfer').bury([malformed, messageAbout('db1', 1, 'elsewhere')]);
});
afterAll(() => aws.stop());

test('what is beside what was asked for is counted', async () => {
  const { status, stdout } = await aws.run(['dlq', '--cluster', 'main', '--no-logs']);
  expect(status).toBe(0);
  expect(stdout).toBe(
    'no such dead letters in longshore-test\n2 dead letters that do not match the filter, such as --cluster\n',
  );
});

test('a cluster that is not served is said to be none', async () => {
  const { stderr } = await aws.run(['dlq', '--cluster', 'mian', '--no-logs']);
  expect(stderr).toContain('longshore-test has no cluster mian; it has main');
});

test('a queue that is gone is no empty one', async () => {
  const { client, urls } = pairOf(aws, 'request-bucket');
  await client.send(new DeleteQueueCommand({ QueueUrl: urls.deadLetterUrl }));
  const { status, stdout, stderr } = await aws.run(['dlq', '--name', 'nobody', '--no-logs']);
  expect(status).toBe(1);
  expect(stdout).toMatch(/^no dead letter of longshore-test can be read now\n/);
  expect(stderr).toContain(
    'request-bucket: its queue is missing: see longshore queues, and recreate it with longshore queues --recreate',
  );
});
