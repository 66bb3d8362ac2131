import { afterEach, expect, test } from '@jest/globals';
import { sendTo } from '../../../lib/queue/send.ts';
import type { Configured } from '../../../lib/queue/sqs/endpoint.ts';
import { answerWith, type Script, type StandIn, startStandIn } from './send-stand-in.ts';

let standIn: StandIn | undefined;
afterEach(() => standIn?.close());

const identity = { accessKeyId: 'key', secretAccessKey: 'secret' };

async function depthWith(script: Script) {
  standIn = await startStandIn(script);
  const { queueUrl, received } = standIn;
  const client = { config: { region: async () => 'eu-central-1', credentials: async () => identity } };
  const unknown: string[] = [];
  const options = { onDepthUnknown: (name: string, error: unknown) => void unknown.push(`${name}: ${error}`) };
  const { depthOf, close } = sendTo({ match: queueUrl }, client as unknown as Configured, options);
  const depth = await depthOf('match').catch((error) => error as Error);
  close();
  return { depth, received, unknown, queueUrl };
}

test('a queue is asked how many messages wait on it', async () => {
  const { depth, received, queueUrl, unknown } = await depthWith(
    answerWith(200, { Attributes: { ApproximateNumberOfMessages: '42' } }),
  );
  expect([depth, unknown]).toEqual([42, []]);
  expect(received.map(({ headers }) => headers['x-amz-target'])).toEqual(['AmazonSQS.GetQueueAttributes']);
  expect(JSON.parse(received[0]?.body ?? '')).toEqual({
    QueueUrl: queueUrl,
    AttributeNames: ['ApproximateNumberOfMessages'],
  });
});

test.each([
  ['refuses', answerWith(403, { __type: 'AccessDenied', message: 'not you' }), /AccessDenied: not you/],
  ['has no attributes', answerWith(200, {}), /does not report how many messages it has/],
  [
    'has a number that is none',
    answerWith(200, { Attributes: { ApproximateNumberOfMessages: 'x' } }),
    /does not report/,
  ],
  [
    'has a number below zero',
    answerWith(200, { Attributes: { ApproximateNumberOfMessages: '-1' } }),
    /does not report/,
  ],
  ['is no JSON', answerWith(200, '<html>'), /does not report/],
])('an answer that %s is an error, which is told', async (_, script, words) => {
  const { depth, unknown } = await depthWith(script);
  expect(String(depth)).toMatch(words);
  expect(unknown).toEqual([expect.stringMatching(words)]);
});
