import { gzipSync } from 'node:zlib';
import { toLine } from '../../../../lib/archive/archived-message.ts';
import { segmentName } from '../../../../lib/archive/segment-names.ts';
import type { Resource } from '../../../../lib/kubernetes/resource.ts';
import { resources } from '../../../../lib/kubernetes/resources.ts';
import { buildMessage } from '../../../../lib/queue/message.ts';
import type { OutgoingMessage } from '../../../../lib/queue/message-parts.ts';
import { readerOf } from '../../../../lib/recovery/replay/archive-reader.ts';
import type { Filter } from '../../../../lib/recovery/replay/filter.ts';
import { Replay, type ReplayOptions } from '../../../../lib/recovery/replay/replay.ts';
import type { ReplaySpec } from '../../../../lib/recovery/replay/spec.ts';
import type { Clock } from '../../../../lib/runtime/clock.ts';
import { FakeSegments } from '../../archive/fake-segments.ts';

export const startMs = Date.UTC(2026, 10, 19, 1);
const hourMs = 3_600_000;

/** What the archive has of one message: a second after the one before. */
export interface Told {
  cluster?: string;
  function?: string;
  resource?: Resource;
  namespace?: string;
  name: string;
}

/** The n-th message, whose time in the body tells which one it is. */
export function messageOf(told: Told, number: number): OutgoingMessage {
  const { cluster = 'main', function: name = 'match-claim', resource = resources.claim, namespace = 'team' } = told;
  return buildMessage({
    cluster,
    function: name,
    resource,
    key: { namespace, name: told.name },
    cause: { uid: told.name, resourceVersion: String(number), type: 'update' },
    time: timeOf(number),
  });
}

export function timeOf(number: number): Date {
  return new Date(startMs + number * 1_000);
}

/** Which message it is, told by what a queue was given. */
export function numberOf({ body }: Pick<OutgoingMessage, 'body'>): number {
  return (Date.parse(JSON.parse(body).time) - startMs) / 1_000;
}

/** An archive of these messages, with so many in each segment. */
export function archiveOf(all: readonly Told[], inSegment = 4): FakeSegments {
  const store = new FakeSegments();
  for (const cluster of new Set(all.map(({ cluster: name = 'main' }) => name))) {
    const numbers = [...all.keys()].filter((number) => (all[number]?.cluster ?? 'main') === cluster);
    const messages = numbers.map((number) => ({ number, message: messageOf(all[number] as Told, number) }));
    for (let start = 0; start < numbers.length; start += inSegment) {
      putSegment(store, cluster, messages.slice(start, start + inSegment));
    }
  }
  return store;
}

/** An archive of one segment. */
export function archiveOfMessages(messages: readonly OutgoingMessage[]): FakeSegments {
  const store = new FakeSegments();
  const numbered = messages.map((message, number) => ({ message, number }));
  putSegment(store, 'main', numbered);
  return store;
}

export function nameAt(number: number, cluster = 'main'): string {
  return segmentName({ cluster, time: timeOf(number), writer: 'w', sequence: number });
}

function putSegment(store: FakeSegments, cluster: string, all: { message: OutgoingMessage; number: number }[]): void {
  const name = nameAt(all[0]?.number ?? 0, cluster);
  store.objects.set(name, gzipSync(all.map(({ message, number }) => toLine(message, timeOf(number))).join('')));
}

/** One message after the other, each about a claim of this name. */
export function about(...names: string[]): Told[] {
  return names.map((name) => ({ name }));
}

/** A clock on which a pause takes no time, and time is what was paused. */
export class PausedClock implements Clock {
  readonly pauses: number[] = [];
  private elapsed = 0;

  now(): Date {
    return new Date(startMs + this.elapsed);
  }

  elapsedMs(): number {
    return this.elapsed;
  }

  async pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
    await new Promise(setImmediate);
    if (signal?.aborted) return;
    this.pauses.push(milliseconds);
    this.elapsed += milliseconds;
  }
}

export function wishFor(filter: Filter = {}, wish: Partial<ReplaySpec> = {}): ReplaySpec {
  const range = { from: new Date(startMs), to: new Date(startMs + hourMs) };
  return { ...range, clusters: ['main'], oncePerKey: false, filter, ...wish };
}

export function replayOf(store: FakeSegments, options: Partial<ReplayOptions>): Replay {
  const clock = new PausedClock();
  const signal = options.signal ?? new AbortController().signal;
  const archive = readerOf(store, clock, signal);
  const functions = ['match-claim', 'rebind-volume'];
  return new Replay({ runId: 'run', wish: wishFor(), archive, functions, clock, signal, ...options });
}
