import type { Routing } from '../../capabilities/index.ts';
import type { Api } from '../../kubernetes/connection.ts';
import { newRunId as anyRunId } from '../../queue/identifiers.ts';
import type { SendBatch } from '../../queue/lane-sender.ts';
import type { OutgoingMessage } from '../../queue/message-parts.ts';
import { logSkipped } from '../../reconcile/tolerant-router.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import type { MemoryPool } from '../../runtime/memory/pool.ts';
import { enqueue, type SendResult } from './enqueue.ts';
import { type Found, findUnfinished } from './find.ts';
import { isWanted, type ToSend, toSend, type Wanted } from './unfinished-object.ts';

/**
 * What a step with nothing to do costs the API server is some four reads of a few milliseconds. Half of what the forwarder's
 * slow lane may tell again in a second: so both together, and live changes beside them, stay far below what a server takes.
 */
export const defaultRate = 50;
export const maxRate = 1_000;

export interface ResyncOptions {
  cluster: string;
  api: Pick<Api, 'send' | 'sendForBytes'>;
  routing: Routing;
  send: SendBatch;
  clock: Clock;
  log: Pick<Log, 'error'>;
  signal: AbortSignal;
  ratePerSecond?: number;
  /** Nothing is sent. */
  isDryRun?: boolean;
  wanted?: Wanted;
  memory?: MemoryPool;
  onSent?: (message: OutgoingMessage) => void;
  /** Everything is listed, and this is to be told. */
  onFound?: (found: Found, all: readonly ToSend[]) => void;
  newRunId?: () => string;
  /** A number from 0 up to 1: where to begin. */
  random?: () => number;
}

export interface ResyncReport {
  cluster: string;
  runId: string;
  /** How many objects were looked at, and how many of them are unfinished and were meant. */
  objects: number;
  unfinished: number;
  leftOut: Found['leftOut'];
  results: SendResult[];
}

/** Enqueues everything unfinished in a cluster once more, whether a forwarder is at work or not. */
export async function resync(options: ResyncOptions): Promise<ResyncReport> {
  const { cluster, send, clock, signal, ratePerSecond = defaultRate, newRunId = anyRunId, onSent = () => {} } = options;
  const found = await findUnfinished({ ...options, onSkipped: logSkipped(options.log, cluster) });
  const things = found.things.filter((item) => isWanted(item, options.wanted ?? {}));
  const all = beginningAnywhere(toSend(things), options.random ?? Math.random);
  options.onFound?.(found, all);
  const runId = newRunId();
  const enqueueing = { cluster, runId, ratePerSecond, send, clock, signal, onSent };
  const results = await enqueue(options.isDryRun ? [] : all, enqueueing);
  return { cluster, runId, objects: found.objects, unfinished: things.length, leftOut: found.leftOut, results };
}

/** Who has too little time for all, each time, must not leave out the same ones each time. */
function beginningAnywhere(all: readonly ToSend[], random: () => number): ToSend[] {
  const start = Math.floor(random() * all.length);
  return [...all.slice(start), ...all.slice(0, start)];
}

/** How many messages have not been sent. */
export function unsentOf({ results }: Pick<ResyncReport, 'results'>): number {
  return results.reduce((total, { messages, sent }) => total + messages - sent, 0);
}
