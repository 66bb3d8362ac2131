import { SQSClient } from '@aws-sdk/client-sqs';
import type { Deployment } from '../../lib/recovery/deployment/deployment.ts';
import { queuesOfStack } from '../../lib/recovery/queues/queues-of-stack.ts';
import { type QueueCounts, queueCountsOf, recreate } from '../../lib/recovery/queues/recreate-queue.ts';
import { realClock } from '../../lib/runtime/clock.ts';
import { findDeployment } from '../deployment.ts';
import type { DeploymentOptions } from '../deployment-options.ts';
import { exitCodes } from '../exit-codes.ts';
import { UsageError } from '../parse/usage-error.ts';
import { attention, bad, heading } from '../terminal/colour.ts';
import { documentText } from '../terminal/document.ts';
import { type DocumentForm, type DocumentOptions, formOf } from '../terminal/document-option.ts';

export interface QueuesOptions extends DeploymentOptions, DocumentOptions {
  recreate?: true | undefined;
  dryRun?: true | undefined;
}

interface Row {
  functionName: string;
  name: string;
  counts: QueueCounts | undefined;
}

/** Shows the queues of a deployment, and recreates missing ones. */
export async function queues(options: QueuesOptions): Promise<void> {
  const { recreate: isToRecreate = false, dryRun: isDryRun = false } = options;
  const form = formOf(options);
  if (isDryRun && !isToRecreate) throw new UsageError('--dry-run can only be used with --recreate');
  const deployment = await findDeployment(options);
  const client = new SQSClient();
  try {
    const rows = await rowsOf(deployment, client);
    const gone = rows.filter(({ counts }) => counts === undefined);
    if (isToRecreate) return await recreateAll(deployment, gone, { client, isDryRun, form });
    console.log(form ? documentText(rows.map(documentOf), form) : tableOf(rows, gone));
    if (gone.length > 0) process.exitCode = exitCodes.found;
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

function documentOf({ functionName, name, counts }: Row) {
  return { queue: name, function: functionName, exists: counts !== undefined, ...counts };
}

function tableOf(rows: readonly Row[], gone: readonly Row[]): string {
  const width = Math.max(...rows.map(({ name }) => name.length));
  const lineOf = (name: string, waiting: string, received: string) =>
    `${name.padEnd(width)}  ${waiting.padStart(7)}  ${received.padStart(8)}`.trimEnd();
  const lines = rows.map(({ name, counts }) =>
    counts ? lineOf(name, String(counts.waiting), String(counts.received)) : bad(lineOf(name, 'gone', '')),
  );
  const count = gone.length === 1 ? '1 queue is' : `${gone.length} queues are`;
  const advice = `${count} gone: recreate ${gone.length === 1 ? 'it' : 'them'} with longshore queues --recreate`;
  const end = gone.length === 0 ? [] : ['', attention(advice)];
  return [heading(lineOf('queue', 'waiting', 'received')), ...lines, ...end].join('\n');
}

interface Recreating {
  client: SQSClient;
  isDryRun: boolean;
  form: DocumentForm | undefined;
}

async function recreateAll(
  { name: stack }: Deployment,
  gone: readonly Row[],
  { client, isDryRun, form }: Recreating,
): Promise<void> {
  const recreated: string[] = [];
  const say = (text: string) => {
    if (!form) console.log(text);
  };
  if (gone.length === 0) say(`no queue of ${stack} is gone`);
  else {
    const { wanted, tags } = await queuesOfStack(stack);
    const names = new Set(gone.map(({ name }) => name));
    const missing = wanted.filter(({ name }) => names.has(name));
    for (const queue of missing) {
      const onWait = () =>
        console.error(`${queue.name} was deleted within the last minute: AWS does not allow its name yet`);
      if (!isDryRun) await recreate(queue, tags, { client, clock: realClock, onWait });
      recreated.push(queue.name);
      say(isDryRun ? `${queue.name} would be recreated` : `${queue.name} was recreated, and is empty`);
    }
    if (missing.length < gone.length) throw new Error(`the template of ${stack} does not have all of its queues`);
    if (!isDryRun) say('run longshore resync to send the lost messages again');
  }
  if (form) console.log(documentText({ deployment: stack, dryRun: isDryRun, recreated }, form));
}
