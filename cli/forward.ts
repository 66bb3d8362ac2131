import { composeForwarding, type Forwarding } from '../lib/compose/forwarding.ts';
import { leaseNameFor, newHolder, pauseBetweenTermsMs } from '../lib/forwarder/elected-forwarder.ts';
import { Clusters } from '../lib/kubernetes/clusters.ts';
import { realClock } from '../lib/runtime/clock.ts';
import { type Config, readConfig } from '../lib/runtime/config.ts';
import { stackFor } from '../lib/runtime/failure-fields.ts';
import { invocationLog, type Log } from '../lib/runtime/log.ts';
import { onStop } from '../lib/runtime/stop-signals.ts';
import type { Command } from './command.ts';
import { type StatusAddress, serveStatus } from './forward-status.ts';
import type { ForwardingState } from './forwarding-state.ts';
import { readCount, readOptions } from './options.ts';
import { UsageError } from './usage-error.ts';

/** It is renewed every two seconds, and in its last three nothing is sent: with less it would hardly ever be of use. */
const minLeaseSeconds = 5;
const maxLeaseSeconds = 600;

interface Options {
  status: StatusAddress | undefined;
  /** For how long nobody takes over from a process that has died; its own default where it is undefined. */
  leaseSeconds: number | undefined;
}

/** The same as functions/forward, as a process that goes on until it is told to stop. Several can wait for one to fail. */
export const forward: Command = {
  summary: 'forward the changes of every configured cluster until stopped',
  usage: `forward [options]

Forwards the changes of every cluster in LONGSHORE_CLUSTERS until it is stopped. Other processes can stand by.

  --metrics <address>:<port>     serve /metrics, /healthz and /readyz at this address
  --lease-seconds <seconds>      how soon another process takes over from one that died: 5-600 (default 15)

Example:
  longshore forward --metrics 127.0.0.1:9464`,
  run,
};

async function run(given: string[]): Promise<void> {
  const { status: address, leaseSeconds } = optionsFrom(given);
  const config = readConfig({ ...process.env, LONGSHORE_FUNCTION: process.env.LONGSHORE_FUNCTION || 'forward' });
  const stop = new AbortController();
  onStop(() => stop.abort());
  // A name that would make each attempt fail is reported before the first one.
  leaseNameFor(config.identity);
  const log = invocationLog(config);
  const forwarding = composeForwarding(config, log);
  const states = new Map<string, ForwardingState>(config.clusters.map(({ name }) => [name, {}]));
  const status = address && (await serveStatus(address, states, realClock));
  if (status) log.info('status is served', { address: status.address });
  try {
    const shared = { config, forwarding, leaseSeconds, log, signal: stop.signal };
    // Each ends in its own time: a failure of one must not cut off what another is still sending.
    const ends = await Promise.allSettled([...states].map(([cluster, state]) => forwardOne(cluster, state, shared)));
    const failure = ends.find((end) => end.status === 'rejected');
    if (failure) throw failure.reason;
  } finally {
    await status?.close();
    forwarding.close();
  }
}

interface Shared extends Pick<Options, 'leaseSeconds'> {
  config: Config;
  forwarding: Forwarding;
  log: Log;
  signal: AbortSignal;
}

/** One term after the other. A cause that ends a term, such as a lost lease or changed credentials, may not end the next. */
async function forwardOne(cluster: string, state: ForwardingState, shared: Shared): Promise<void> {
  const { config, forwarding, leaseSeconds, log, signal } = shared;
  // Always the same one, so that it need not wait for a lease that it could not release to expire.
  const holder = newHolder(config.identity);
  while (!signal.aborted) {
    try {
      const { connection } = await new Clusters(config.clusters, config.function).get(cluster);
      const settings = leaseSeconds === undefined ? { holder } : { holder, leaseSeconds };
      const lead = forwarding.forwarderFor(cluster, connection, settings);
      state.lead = lead;
      state.failure = undefined;
      await lead.run({ signal }).finally(() => connection.close());
    } catch (error) {
      if (signal.aborted) throw error;
      state.failure = error;
      log.error('forwarding failed; starting again', { cluster, error: String(error), stack: stackFor(error, log) });
      await realClock.pause(pauseBetweenTermsMs, signal);
    }
  }
}

function optionsFrom(given: string[]): Options {
  const { metrics, 'lease-seconds': seconds } = readOptions(given, {
    metrics: { type: 'string' },
    'lease-seconds': { type: 'string' },
  });
  const leaseSeconds =
    seconds === undefined ? undefined : readCount('lease-seconds', seconds, minLeaseSeconds, maxLeaseSeconds);
  return { status: addressFrom(metrics), leaseSeconds };
}

function addressFrom(metrics: string | undefined): StatusAddress | undefined {
  if (metrics === undefined) return undefined;
  const [, host, port] = /^(?:(.+):)?(\d{1,5})$/.exec(metrics) ?? [];
  if (port === undefined || Number(port) > 65_535) {
    throw new UsageError(`--metrics must be <address>:<port>, such as 127.0.0.1:9464, but is ${metrics}`);
  }
  return { host: host?.replace(/^\[(.*)\]$/, '$1') ?? '127.0.0.1', port: Number(port) };
}
