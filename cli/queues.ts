import { SQSClient } from '@aws-sdk/client-sqs';
import type { Deployment } from '../lib/recovery/deployment/deployment.ts';
import { queuesOfStack } from '../lib/recovery/queues/queues-of-stack.ts';
import { type QueueCounts, queueCountsOf, recreate } from '../lib/recovery/queues/recreate-queue.ts';
import { realClock } from '../lib/runtime/clock.ts';
import type { Command } from './command.ts';
import { deploymentOptions, deploymentUsage, findDeployment } from './deployment.ts';
import { readOptions } from './parse/options.ts';

/** Shows the queues of a deployment, and recreates missing ones. */
export const queues: Command = {
  summary: 'show the queues of a deployment, and recreate missing ones',
  usage: `queues [options]

Shows how many messages each queue has, and which queues are missing.

${deploymentUsage}
  --recreate                     recreate missing queues as they were deployed; they are empty afterwards

Examples:
  longshore queues --stage production
  longshore queues --stage production --recreate`,
  run,
};

const described = { ...deploymentOptions, recreate: { type: 'boolean' } } as const;

interface Row {
  functionName: string;
  name: string;
  counts: QueueCounts | undefined;
}

async function run(given: string[]): Promise<void> {
  const { recreate: isToRecreate = false, ...options } = readOptions(given, described);
  const deployment = await findDeployment(options);
  const client = new SQSClient();
  try {
    const rows = await rowsOf(deployment, client);
    const gone = rows.filter(({ counts }) => counts === undefined);
    if (isToRecreate) await recreateAll(deployment, gone, client);
    else console.log(tableOf(rows, gone));
  } finally {
    client.destroy();
  }
}

async function rowsOf({ queues: all }: Deployment, client: SQSClient): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [functionName, { url, deadLetterUrl }] of Object.entries(all)) {
    for (const each of [url, deadLetterUrl]) {
      const name = each.slice(each.lastIndexOf('/') + 1);
      rows.push({ functionName, name, counts: await queueCountsOf({ name }, client) });
    }
  }
  return rows;
}

function tableOf(rows: readonly Row[], gone: readonly Row[]): string {
  const width = Math.max(...rows.map(({ name }) => name.length));
  const cells = rows.map(({ name, counts }) => [
    name,
    counts ? String(counts.waiting) : 'gone',
    counts ? String(counts.received) : '',
  ]);
  const lines = [['queue', 'waiting', 'received'], ...cells].map(([name = '', waiting = '', received = '']) =>
    `${name.padEnd(width)}  ${waiting.padStart(7)}  ${received.padStart(8)}`.trimEnd(),
  );
  const count = gone.length === 1 ? '1 queue is' : `${gone.length} queues are`;
  const end =
    gone.length === 0
      ? []
      : ['', `${count} gone: recreate ${gone.length === 1 ? 'it' : 'them'} with longshore queues --recreate`];
  return [...lines, ...end].join('\n');
}

async function recreateAll({ name: stack }: Deployment, gone: readonly Row[], client: SQSClient): Promise<void> {
  if (gone.length === 0) return console.log(`no queue of ${stack} is gone`);
  const { wanted, tags } = await queuesOfStack(stack);
  const names = new Set(gone.map(({ name }) => name));
  const missing = wanted.filter(({ name }) => names.has(name));
  for (const queue of missing) {
    const onWait = () =>
      console.error(`${queue.name} was deleted within the last minute: AWS does not allow its name yet`);
    await recreate(queue, tags, { client, clock: realClock, onWait });
    console.log(`${queue.name} was recreated, and is empty`);
  }
  if (missing.length < gone.length) throw new Error(`the template of ${stack} does not have all of its queues`);
  console.log('run longshore resync to send the lost messages again');
}
