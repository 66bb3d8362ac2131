import { composeRun } from '../../lib/compose/run.ts';
import { realClock } from '../../lib/runtime/clock.ts';
import { readWithoutClusters } from '../../lib/runtime/config.ts';
import { consoleLog, type Log, type LogLevel } from '../../lib/runtime/log.ts';
import { MeasuredTotals } from '../../lib/runtime/measured-totals.ts';
import { onStop } from '../../lib/runtime/stop-signals.ts';
import type { Command } from '../command.ts';
import { serveStatus } from '../forward-status.ts';
import { reachableClusters } from './clusters.ts';
import { type LogForm, readRunOptions } from './options.ts';
import { prometheusTotals } from './prometheus-totals.ts';
import { textLine } from './text-line.ts';

const functionName = 'run';
/** Two deployments in one cluster need two: each has its own lease, and its own drivers. */
const defaultIdentity = 'longshore';
/** What does not end by itself when all is stopped, such as a call to a store, is not waited for. */
const maxExitMs = 2_000;

/** Longshore in one process, without AWS. */
export const run: Command = {
  summary: 'run Longshore for clusters in this process, without AWS, until stopped',
  usage: `run [options]

Runs Longshore in this process, without AWS and without a disk, until it is stopped. Start it several times to have others
stand by: one process works for a cluster at a time, and another one takes over when that one ends.

  --kubeconfig <path>            kubeconfig, in YAML or JSON (default: as kubectl finds it, or the Pod's service account)
  --context <name>               context of the kubeconfig; repeat it for several clusters (default: the current one)
  --cluster <name>               name of the cluster in logs, metrics and tags of buckets (default: the context's name)
  --capabilities <names>         some of transfers,buckets,data-sources, separated by commas (default: all)
  --identity <name>              processes with the same name stand by for each other (default: LONGSHORE_IDENTITY,
                                 or longshore)
  --drivers <json>               drivers of buckets (default: LONGSHORE_DRIVERS, or none)
  --metrics <address>:<port>     serve /metrics, /healthz and /readyz at this address
  --lease-seconds <seconds>      how soon another process takes over from one that died: 5-600 (default 15)
  --log json|text                form of the log (default: text on a terminal, json elsewhere)

Example: longshore run --context staging --capabilities transfers,data-sources --metrics 127.0.0.1:9464`,
  run: runUntilStopped,
};

async function runUntilStopped(given: string[]): Promise<void> {
  const options = readRunOptions(given, process.stdout.isTTY === true);
  const { capabilities, leaseSeconds, status: address } = options;
  const config = readWithoutClusters({
    ...process.env,
    LONGSHORE_FUNCTION: functionName,
    LONGSHORE_IDENTITY: options.identity ?? (process.env.LONGSHORE_IDENTITY || defaultIdentity),
    LONGSHORE_DRIVERS: options.drivers ?? process.env.LONGSHORE_DRIVERS,
  });
  const clusters = await reachableClusters(options.clusters);
  const totals = new MeasuredTotals();
  const log = logFor(options.log, config.logLevel, totals);
  const running = composeRun({ clusters, capabilities, config, leaseSeconds, log });
  const stop = new AbortController();
  onStop((signal) => {
    log.info('stopping', { signal });
    stop.abort();
  });
  const status = address && (await serveStatus(address, running.states, realClock, () => prometheusTotals(totals)));
  if (status) log.info('status is served', { address: status.address });
  const names = clusters.map(({ name }) => name).join(', ');
  log.info('started', { clusters: names, capabilities: capabilities.join(', '), identity: config.identity });
  await running.until(stop.signal);
  await status?.close();
  log.info('stopped');
  setTimeout(() => process.exit(), maxExitMs).unref();
}

/** Measurements are served as metrics, and are no lines of the log: there would be one for each message. */
function logFor(form: LogForm, level: LogLevel, totals: MeasuredTotals): Log {
  const write = form === 'text' ? { write: (line: string) => console.log(textLine(line)) } : {};
  const log = consoleLog({ function: functionName }, { level, ...write });
  return { ...log, measure: (...measurements) => totals.add(...measurements) };
}
