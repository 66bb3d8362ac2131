import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ForwardingState } from '../lib/forwarder/forwarding-state.ts';
import { statsOf } from '../lib/forwarder/stats.ts';
import type { Clock } from '../lib/runtime/clock.ts';
import { UsageError } from './parse/usage-error.ts';
import { prometheusText } from './prometheus.ts';

export interface StatusAddress {
  host: string;
  port: number;
}

/** An address from an option; on the loopback interface, unless it says otherwise. */
export function readAddress(option: string, text: string | undefined): StatusAddress | undefined {
  if (text === undefined) return undefined;
  const [, host, port] = /^(?:(.+):)?(\d{1,5})$/.exec(text) ?? [];
  if (port === undefined || Number(port) > 65_535) {
    throw new UsageError(`--${option} must be <address>:<port>, such as 127.0.0.1:9464, but is ${text}`);
  }
  return { host: host?.replace(/^\[(.*)\]$/, '$1') ?? '127.0.0.1', port: Number(port) };
}

/** A forwarder is unhealthy if its server has not answered, or no queue has accepted its changes, for this long. */
const unhealthyAfterSeconds = 300;

/** Serves /healthz, /readyz and /metrics. None of them shows what a cluster contains. */
export async function serveStatus(
  at: StatusAddress,
  states: ReadonlyMap<string, ForwardingState>,
  clock: Clock,
  moreMetrics: () => string = () => '',
) {
  const metrics = () => `${prometheusText(states, clock)}${moreMetrics()}`;
  const answers: Record<string, () => { status: number; text: string; type?: string }> = {
    '/healthz': () => healthOf(states, clock),
    '/readyz': () => readinessOf(states),
    '/metrics': () => ({ status: 200, text: metrics(), type: 'text/plain; version=0.0.4' }),
  };
  const server = createServer((incoming, outgoing) => {
    const [path = '/'] = (incoming.url ?? '/').split('?', 1);
    const answer = Object.hasOwn(answers, path) ? answers[path] : undefined;
    const { status, text, type } = answer?.() ?? { status: 404, text: '/healthz, /readyz or /metrics\n' };
    outgoing.writeHead(status, { 'content-type': type ?? 'text/plain' }).end(text);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(at.port, at.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  const host = at.host.includes(':') ? `[${at.host}]` : at.host;
  return { address: `${host}:${port}`, close };
}

function healthOf(states: ReadonlyMap<string, ForwardingState>, clock: Clock) {
  const lines = [...states].map(([cluster, { lead }]) => {
    const lag = lead?.term ? statsOf(lead.term, clock).lagSeconds : 0;
    return { isHealthy: lag < unhealthyAfterSeconds, text: `${cluster}: lag ${lag.toFixed(1)} s` };
  });
  return summary(lines);
}

function readinessOf(states: ReadonlyMap<string, ForwardingState>) {
  return summary([...states].map(([cluster, state]) => readinessOfOne(cluster, state)));
}

/** A forwarder that waits for the lease is ready, unless something else keeps it from getting it. */
function readinessOfOne(cluster: string, { lead, failure }: ForwardingState) {
  const { term } = lead ?? {};
  if (term) {
    const isHealthy = term.forwarder.stats.isFollowing;
    return { isHealthy, text: `${cluster}: ${isHealthy ? 'forwarding' : 'listing'}` };
  }
  const error = lead?.acquireError ?? failure;
  if (error !== undefined) return { isHealthy: false, text: `${cluster}: ${oneLine(error)}` };
  return lead
    ? { isHealthy: true, text: `${cluster}: waiting for the lease` }
    : { isHealthy: false, text: `${cluster}: starting` };
}

function oneLine(error: unknown): string {
  return String(error).replaceAll(/\s+/g, ' ').trim();
}

function summary(lines: { isHealthy: boolean; text: string }[]) {
  const status = lines.every(({ isHealthy }) => isHealthy) ? 200 : 503;
  return { status, text: lines.map(({ text }) => `${text}\n`).join('') };
}
