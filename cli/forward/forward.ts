import { composeForwarding, type Forwarding } from '../../lib/compose/forwarder-wiring.ts';
import { forwardUntilStopped } from '../../lib/compose/terms.ts';
import { newHolder } from '../../lib/forwarder/elected-forwarder.ts';
import type { ForwardingState } from '../../lib/forwarder/forwarding-state.ts';
import { leaseNameFor } from '../../lib/forwarder/lease-name.ts';
import { Clusters } from '../../lib/kubernetes/clusters.ts';
import { realClock } from '../../lib/runtime/clock.ts';
import { type Config, readConfig } from '../../lib/runtime/config.ts';
import { invocationLog, type Log } from '../../lib/runtime/log.ts';
import { onStop } from '../../lib/runtime/stop-signals.ts';
import { type StatusAddress, serveStatus } from '../forward-status.ts';
import { onReaderGone } from '../interrupted.ts';

export interface ForwardOptions {
  metrics?: StatusAddress | undefined;
  /** For how long nobody takes over from a process that has died; its own default where it is undefined. */
  leaseSeconds?: number | undefined;
}

/** The same as functions/forward, as a process that goes on until it is told to stop. Several can wait for one to fail. */
export async function forward({ metrics: address, leaseSeconds }: ForwardOptions): Promise<void> {
  const config = readConfig({ ...process.env, LONGSHORE_FUNCTION: process.env.LONGSHORE_FUNCTION || 'forward' });
  const stop = new AbortController();
  onStop(() => stop.abort());
  onReaderGone(() => stop.abort());
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

interface Shared extends Pick<ForwardOptions, 'leaseSeconds'> {
  config: Config;
  forwarding: Forwarding;
  log: Log;
  signal: AbortSignal;
}

async function forwardOne(cluster: string, state: ForwardingState, shared: Shared): Promise<void> {
  const { config, forwarding, leaseSeconds, log, signal } = shared;
  // Always the same one, so that it need not wait for a lease that it could not release to expire.
  const holder = newHolder(config.identity);
  const settings = leaseSeconds === undefined ? { holder } : { holder, leaseSeconds };
  const begin = async () => {
    const { connection } = await new Clusters(config.clusters, config.function).get(cluster);
    return { lead: forwarding.forwarderFor(cluster, connection, settings), end: () => connection.close() };
  };
  await forwardUntilStopped(state, { cluster, begin, log, signal });
}
