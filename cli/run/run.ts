import { type CapabilityName, capabilityNames } from '../../lib/capabilities/names.ts';
import { composeRun } from '../../lib/compose/run.ts';
import { realClock } from '../../lib/runtime/clock.ts';
import { readWithoutClusters } from '../../lib/runtime/config.ts';
import { consoleLog, type Log, type LogLevel } from '../../lib/runtime/log.ts';
import { MeasuredTotals } from '../../lib/runtime/measured-totals.ts';
import { onStop } from '../../lib/runtime/stop-signals.ts';
import { type StatusAddress, serveStatus } from '../forward-status.ts';
import { onReaderGone } from '../interrupted.ts';
import { releaseVersion } from '../release-version.ts';
import { admissionOf, type GivenAdmission } from './admission-options.ts';
import { serveAdmission } from './admission-server.ts';
import { reachableClusters } from './clusters.ts';
import { megabytesFor } from './memory.ts';
import { prometheusTotals } from './prometheus-totals.ts';
import { textLine } from './text-line.ts';

const functionName = 'run';
/** Two deployments in one cluster need two: each has its own lease, and its own drivers. */
const defaultIdentity = 'longshore';
/** What does not end by itself when all is stopped, such as a call to a store, is not waited for. */
const maxExitMs = 2_000;

/** What was given on the command line; defaults stand where they are used. */
export interface RunOptions extends GivenAdmission {
  kubeconfig?: string;
  context?: readonly string[];
  cluster?: string;
  capabilities?: readonly CapabilityName[];
  identity?: string;
  drivers?: string;
  metrics?: StatusAddress | undefined;
  leaseSeconds?: number;
  /** In MB. */
  memory?: number;
  log?: 'json' | 'text';
}

/** Runs Longshore in one process, without AWS. */
export async function runUntilStopped(options: RunOptions): Promise<void> {
  const { capabilities = capabilityNames, leaseSeconds, metrics: address, kubeconfig, cluster, context = [] } = options;
  const form = options.log ?? (process.stdout.isTTY ? 'text' : 'json');
  const webhook = admissionOf(options);
  const fromEnvironment = readWithoutClusters({
    ...process.env,
    LONGSHORE_FUNCTION: functionName,
    LONGSHORE_IDENTITY: options.identity ?? (process.env.LONGSHORE_IDENTITY || defaultIdentity),
    LONGSHORE_DRIVERS: options.drivers ?? process.env.LONGSHORE_DRIVERS,
  });
  const config = { ...fromEnvironment, megabytes: megabytesFor(options.memory) };
  const clusters = await reachableClusters({ kubeconfig, cluster, contexts: [...new Set(context)] });
  const totals = new MeasuredTotals();
  const log = logFor(form, config.logLevel, totals);
  const version = await releaseVersion();
  const running = composeRun({ clusters, capabilities, config, release: version, leaseSeconds, log });
  const stop = new AbortController();
  onStop((signal) => {
    log.info('stopping', { signal });
    stop.abort();
  });
  onReaderGone(() => stop.abort());
  const status = address && (await serveStatus(address, running.states, realClock, () => prometheusTotals(totals)));
  const admission = webhook && (await serveAdmission(webhook, log).catch(closing(status)));
  // The first line: what is served, and where to look.
  log.info('started', {
    version,
    clusters: clusters.map(({ name }) => name).join(', '),
    capabilities: capabilities.join(', '),
    identity: config.identity,
    ...(admission ? { admission: admission.address } : {}),
    metrics: status ? `http://${status.address}/metrics` : 'not served (--metrics)',
  });
  await running.until(stop.signal);
  await admission?.close();
  await status?.close();
  log.info('stopped');
  setTimeout(() => process.exit(), maxExitMs).unref();
}

/** A process that cannot start ends: with a server still open it would stay, healthy and without doing anything. */
function closing(server: { close: () => Promise<void> } | undefined) {
  return async (error: unknown): Promise<never> => {
    await server?.close();
    throw error;
  };
}

/** Measurements are served as metrics, and are no lines of the log: there would be one for each message. */
function logFor(form: 'json' | 'text', level: LogLevel, totals: MeasuredTotals): Log {
  const write = form === 'text' ? { write: (line: string) => console.log(textLine(line)) } : {};
  const log = consoleLog({ function: functionName }, { level, ...write });
  return { ...log, measure: (...measurements) => totals.add(...measurements) };
}
