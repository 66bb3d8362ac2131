import { type ChildProcess, execFile } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { memoryOf } from '../forward/forwarder-process.ts';
import type { QueueStandIn } from '../forward/queue/queue-stand-in.ts';
import type { StandInProcess } from '../stand-in-process.ts';
import { timeOf } from './archive.ts';
import { type Contender, commandOf } from './contenders.ts';
import { type Figures, figuresIn } from './measured.ts';

/** The archive and the queue of the measurement. */
export interface Site {
  bucket: StandInProcess;
  queue: QueueStandIn;
  progress: (line: string) => void;
}

/** The memory of a process when this many messages had arrived, and its maximum until then. */
interface Sample {
  count: number;
  mb: number;
  peak: number;
}

export interface RunFigures extends Figures {
  samples: Sample[];
}

const sampleMs = 100;

/** Puts this many messages, from the beginning of the archive, onto their queues. */
export async function run(
  { queue, bucket, progress }: Site,
  contender: Contender,
  roundTripMs: number,
  count: number,
  keepsMessages = false,
): Promise<RunFigures> {
  progress(`${count} messages at ${roundTripMs} ms: ${contender.title}`);
  await queue.reset(roundTripMs, keepsMessages);
  const range = [timeOf(0), timeOf(count)].map((time) => time.toISOString());
  const args = [...(await commandOf(contender)), ...range];
  const running = promisify(execFile)(process.execPath, args, { env: environmentOf(bucket, queue) });
  const [samples, { stdout }] = await Promise.all([samplesOf(running.child, queue), running]);
  const [figures, arrived] = [figuresIn(stdout), await queue.count()];
  if (figures.messages === count && arrived === count) return { ...figures, samples };
  const problem = `says that it sent ${figures.messages} of ${count}, of which ${arrived} have come`;
  throw new Error(`${contender.title} ${problem}`);
}

async function samplesOf(child: ChildProcess, queue: QueueStandIn): Promise<Sample[]> {
  const samples: Sample[] = [];
  while (child.exitCode === null && child.signalCode === null) {
    const count = await queue.count();
    const memory = await memoryOf(child.pid ?? 0).catch(() => undefined);
    if (memory) samples.push({ count, mb: memory.now, peak: memory.peak });
    await pause(sampleMs);
  }
  return samples;
}

function environmentOf(bucket: StandInProcess, queue: QueueStandIn): Record<string, string> {
  const functions = ['match-claim', 'rebind-volume', 'populate-claim'];
  const queues = functions.map((name) => [name, `${queue.url}/0/${name}.fifo`]);
  return {
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'bench',
    AWS_SECRET_ACCESS_KEY: 'bench',
    AWS_ENDPOINT_URL_S3: bucket.url,
    AWS_ENDPOINT_URL_SQS: queue.url,
    LONGSHORE_FUNCTION: 'replay',
    LONGSHORE_CLUSTERS: '[{"name":"main","access":{"type":"kubeconfig","from":"file:/nowhere"}}]',
    LONGSHORE_ARCHIVE: 'bench',
    LONGSHORE_QUEUES: JSON.stringify(Object.fromEntries(queues)),
  };
}
