import type { Routing } from '../../capabilities/all-capabilities.ts';
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
import { isCheck, isWanted, type ToSend, toSend, type UnfinishedObject, type Wanted } from './unfinished-object.ts';

/**
 * A step with nothing to do costs the API server some four reads of a few milliseconds. This is half the rate of the
 * forwarder's slow lane: so both together, with live changes, stay far below a server's capacity.
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
  /** Called before each kind is listed, with the number of objects that were read before. */
  onKind?: (kind: string, objects: number) => void;
  /** Called when everything is listed, with the messages to send. */
  onFound?: (found: Found, all: readonly ToSend[]) => void;
  newRunId?: () => string;
  /** Returns a number from 0 up to 1: the position at which to begin. */
  random?: () => number;
}

export interface ResyncReport {
  cluster: string;
  runId: string;
  /** The number of objects that were read, and of the selected ones that are unfinished. */
  objects: number;
  unfinished: number;
  /** The number of messages about objects that seem finished. */
  checks: number;
  leftOut: Found['leftOut'];
  results: SendResult[];
}

/** Enqueues everything unfinished in a cluster again, with or without an active forwarder. */
export async function resync(options: ResyncOptions): Promise<ResyncReport> {
  const { cluster, send, clock, signal, ratePerSecond = defaultRate, newRunId = anyRunId, onSent = () => {} } = options;
  const found = await findUnfinished({ ...options, onSkipped: logSkipped(options.log, cluster) });
  const wanted = (each: readonly UnfinishedObject[]) => each.filter((item) => isWanted(item, options.wanted ?? {}));
  const [things, checked] = [wanted(found.things), wanted(found.checks)];
  const all = beginningAnywhere(toSend([...things, ...checked]), options.random ?? Math.random);
  options.onFound?.(found, all);
  const runId = newRunId();
  const enqueueing = { cluster, runId, ratePerSecond, send, clock, signal, onSent };
  const results = await enqueue(options.isDryRun ? [] : all, enqueueing);
  const checks = all.filter(isCheck).length;
  const { objects, leftOut } = found;
  return { cluster, runId, objects, unfinished: things.length, checks, leftOut, results };
}

/** If time is too short for all, it must not be the same objects that are left out each time. */
function beginningAnywhere(all: readonly ToSend[], random: () => number): ToSend[] {
  const start = Math.floor(random() * all.length);
  return [...all.slice(start), ...all.slice(0, start)];
}

/** The number of messages that have not been sent. */
export function unsentOf({ results }: Pick<ResyncReport, 'results'>): number {
  return results.reduce((total, { messages, sent }) => total + messages - sent, 0);
}
