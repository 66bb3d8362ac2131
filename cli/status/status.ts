import { setTimeout as pause } from 'node:timers/promises';
import { onStop } from '../../lib/runtime/stop-signals.ts';
import type { ClusterOptions, NamespaceOptions } from '../connect/options.ts';
import { exitCodes } from '../exit-codes.ts';
import { Interrupted, onReaderGone } from '../interrupted.ts';
import { contextFor } from '../kubeconfig/find.ts';
import { NoAnswer, openWithin } from '../operate/open-within.ts';
import { printableJson } from '../terminal/printable.ts';
import { lineWidth } from '../terminal/width.ts';
import { complaintsAbout } from './health.ts';
import { reportOn, type StatusReport } from './report.ts';
import { statusLines } from './text.ts';

export interface StatusOptions extends ClusterOptions, NamespaceOptions {
  timeout?: number;
  watch?: true;
  output?: 'json' | 'wide';
}

/** Counted from the start of the process, it answers within three seconds. */
const answerMs = 2_600;
/** On a machine that is too slow for that, the server gets a chance all the same. */
const leastMs = 1_000;
const watchMs = 2_000;
const clearScreen = '\u001b[2J\u001b[H';

export async function showStatus(options: StatusOptions): Promise<void> {
  const stop = new AbortController();
  if (options.watch) {
    onStop(() => stop.abort());
    onReaderGone(() => stop.abort());
  }
  let report = await lookAt(options, firstLimitMs(options), stop.signal);
  if (stop.signal.aborted) throw new Interrupted('stopped before the server has answered');
  print(report, options);
  while (options.watch && !stop.signal.aborted) {
    await pause(watchMs, undefined, { signal: stop.signal }).catch(() => {});
    if (stop.signal.aborted) break;
    const next = await lookAt(options, limitMs(options), stop.signal);
    if (stop.signal.aborted) break;
    report = next;
    print(report, options);
  }
  if (complaintsAbout(report).length > 0) process.exitCode = exitCodes.found;
}

function limitMs({ timeout }: StatusOptions): number {
  return timeout === undefined ? answerMs : timeout * 1_000;
}

function firstLimitMs(options: StatusOptions): number {
  return Math.max(leastMs, limitMs(options) - performance.now());
}

/** A cluster that does not answer is what it reports; a kubeconfig that cannot be used is an error. */
async function lookAt(options: StatusOptions, milliseconds: number, stopped: AbortSignal): Promise<StatusReport> {
  try {
    await using cluster = await openWithin(options, milliseconds, stopped);
    const { api, name, server } = cluster;
    return await reportOn(api, { cluster: name, server, namespace: options.namespace });
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    const { name, context } = await contextFor(options);
    const nothing = { answerMs: undefined, leaders: undefined, unfinished: [], counts: [] };
    return {
      cluster: name,
      server: context.server,
      at: new Date().toISOString(),
      ...nothing,
      problems: [error.message],
    };
  }
}

function print(report: StatusReport, { output, watch }: StatusOptions): void {
  if (output === 'json') {
    console.log(printableJson({ ...report, needsYou: complaintsAbout(report) }));
    return;
  }
  if (watch && process.stdout.isTTY) process.stdout.write(clearScreen);
  const width = lineWidth(process.stdout);
  console.log(statusLines(report, { width, isWide: output === 'wide' }).join('\n'));
}
