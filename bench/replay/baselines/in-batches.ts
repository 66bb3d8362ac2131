import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { measured } from '../measured.ts';
import { again, type Line, linesOf } from './lines.ts';

/**
 * Baseline: ten lines of one function in each call, one call after the other. Its arguments are those of the other
 * baseline.
 */

const [from = '', to = ''] = process.argv.slice(2);
const queues: Record<string, string> = JSON.parse(process.env.LONGSHORE_QUEUES ?? '{}');
const queue = new SQSClient();
/** SQS accepts no more in one call. */
const batchSize = 10;

await measured(async () => {
  const waiting = new Map<string, Line[]>();
  let messages = 0;
  const send = async (name: string, lines: Line[]) => {
    const Entries = lines.map((line, position) => ({ Id: String(position), ...again(line, 'baseline') }));
    const { Failed = [] } = await queue.send(new SendMessageBatchCommand({ QueueUrl: queues[name], Entries }));
    if (Failed.length > 0) throw new Error(`${Failed.length} messages were not taken`);
    messages += lines.length;
  };
  for await (const line of linesOf(process.env.LONGSHORE_ARCHIVE ?? '', new Date(from), new Date(to))) {
    const lines = [...(waiting.get(line.function) ?? []), line];
    waiting.set(line.function, lines.length < batchSize ? lines : []);
    if (lines.length === batchSize) await send(line.function, lines);
  }
  for (const [name, lines] of waiting) if (lines.length > 0) await send(name, lines);
  return messages;
});
