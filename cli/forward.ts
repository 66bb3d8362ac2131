import { storeInBucket } from '../lib/archive/s3-store.ts';
import { realClock } from '../lib/clock.ts';
import { Clusters } from '../lib/cluster/clusters.ts';
import { type Config, readConfig } from '../lib/config.ts';
import { Lead, leaseNameFor, newHolder, pauseBetweenTermsMs, sendLimitMs } from '../lib/forwarder/lead.ts';
import { invocationLog, type Log } from '../lib/log.ts';
import { tellDepthUnknown, tellRefusals } from '../lib/queue/refusals.ts';
import { type Sender, sendTo } from '../lib/queue/send.ts';
import { type Routing, routingFor } from '../lib/routes.ts';
import { onStop } from '../lib/stop-signals.ts';
import type { Command } from './command.ts';
import { type Standing, type StatusAddress, serveStatus } from './forward-status.ts';
import { readCount, readOptions } from './options.ts';
import { UsageError } from './usage-error.ts';

/** It is renewed every two seconds, and in its last three nothing is sent: with less it would hardly ever be of use. */
const leastLeaseSeconds = 5;
const mostLeaseSeconds = 600;

interface Options {
  status: StatusAddress | undefined;
  /** For how long nobody takes over from a process that has died; its own default where it is undefined. */
  leaseSeconds: number | undefined;
}

/** The same as functions/forward, as a process that goes on until it is told to stop. Several can wait for one to fail. */
export const forward: Command = {
  usage: `forward [--metrics <address>:<port>]   forwards the changes of every configured cluster until it is stopped
          [--lease-seconds <seconds>]    5 to 600, of 15: how soon another one takes over from one that has died`,
  run,
};

async function run(given: string[]): Promise<void> {
  const { status: address, leaseSeconds } = optionsFrom(given);
  const config = readConfig({ ...process.env, LONGSHORE_FUNCTION: process.env.LONGSHORE_FUNCTION || 'forward' });
  const stop = new AbortController();
  onStop(() => stop.abort());
  // What would make each attempt fail is told before the first one.
  leaseNameFor(config.identity);
  const routing = routingFor(Object.keys(config.queues));
  const log = invocationLog(config);
  const sending = {
    timeLimitMs: sendLimitMs,
    onRefused: tellRefusals(log),
    onDepthUnknown: tellDepthUnknown(log),
  };
  const { send, depthOf, close } = sendTo(config.queues, undefined, sending);
  const standings = new Map<string, Standing>(config.clusters.map(({ name }) => [name, {}]));
  const status = address && (await serveStatus(address, standings, realClock));
  if (status) log.info('status is served', { address: status.address });
  try {
    const shared = { config, routing, send, depthOf, leaseSeconds, log, signal: stop.signal };
    // Each ends in its own time: what one fails with must not cut off what another one is still sending.
    const ends = await Promise.allSettled(
      [...standings].map(([cluster, standing]) => forwardOne(cluster, standing, shared)),
    );
    const failure = ends.find((end) => end.status === 'rejected');
    if (failure) throw failure.reason;
  } finally {
    await status?.close();
    close();
  }
}

interface Shared extends Pick<Options, 'leaseSeconds'> {
  config: Config;
  routing: Routing;
  send: Sender['send'];
  depthOf: Sender['depthOf'];
  log: Log;
  signal: AbortSignal;
}

/** One term after the other. What ends a term, such as a lost lease or credentials that have changed, may not end the next. */
async function forwardOne(cluster: string, standing: Standing, shared: Shared): Promise<void> {
  const { config, routing, send, depthOf, leaseSeconds, log, signal } = shared;
  const { identity, maxFanOut } = config;
  // Always the same one, so that it need not wait for the end of a lease that it could not give away.
  const holder = newHolder(identity);
  const store = config.archive === undefined ? undefined : storeInBucket(config.archive);
  while (!signal.aborted) {
    try {
      const { connection } = await new Clusters(config.clusters, config.function).get(cluster);
      const queues = { send, depthOf };
      const options = {
        cluster,
        api: connection,
        identity,
        maxFanOut,
        holder,
        ...queues,
        store,
        log,
        clock: realClock,
        ...routing,
      };
      const lead = new Lead(leaseSeconds === undefined ? options : { ...options, leaseSeconds });
      standing.lead = lead;
      standing.failure = undefined;
      await lead.run({ signal }).finally(() => connection.close());
    } catch (error) {
      if (signal.aborted) throw error;
      standing.failure = error;
      log.error('forwarding failed, and begins anew', { cluster, error: String(error) });
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
    seconds === undefined ? undefined : readCount('lease-seconds', seconds, leastLeaseSeconds, mostLeaseSeconds);
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
