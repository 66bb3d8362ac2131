import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { measured } from '../measured.ts';
import { again, linesOf } from './lines.ts';

/**
 * Baseline: one awaited call for each line. Its arguments are the start (inclusive) and the end (exclusive) of the time
 * range.
 */

const [from = '', to = ''] = process.argv.slice(2);
const queues: Record<string, string> = JSON.parse(process.env.LONGSHORE_QUEUES ?? '{}');
const queue = new SQSClient();

await measured(async () => {
  let messages = 0;
  for await (const line of linesOf(process.env.LONGSHORE_ARCHIVE ?? '', new Date(from), new Date(to))) {
    await queue.send(new SendMessageCommand({ QueueUrl: queues[line.function], ...again(line, 'baseline') }));
    messages += 1;
  }
  return messages;
});
