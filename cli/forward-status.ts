import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { statsOf } from '../lib/forwarder/stats.ts';
import type { Clock } from '../lib/runtime/clock.ts';
import { prometheusText } from './prometheus.ts';
import type { Standing } from './standing.ts';

export interface StatusAddress {
  host: string;
  port: number;
}

/** A forwarder that has heard nothing of its server, or whose changes no queue has taken, for so long is not well. */
const unwellAfterSeconds = 300;

/** Answers /healthz, /readyz and /metrics. Nothing of what a cluster contains is told there. */
export async function serveStatus(at: StatusAddress, standings: ReadonlyMap<string, Standing>, clock: Clock) {
  const answers: Record<string, () => { status: number; text: string; type?: string }> = {
    '/healthz': () => healthOf(standings, clock),
    '/readyz': () => readinessOf(standings),
    '/metrics': () => ({ status: 200, text: prometheusText(standings, clock), type: 'text/plain; version=0.0.4' }),
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
  return { address: `${at.host}:${port}`, close };
}

function healthOf(standings: ReadonlyMap<string, Standing>, clock: Clock) {
  const lines = [...standings].map(([cluster, { lead }]) => {
    const lag = lead?.term ? statsOf(lead.term, clock).lagSeconds : 0;
    return { isWell: lag < unwellAfterSeconds, text: `${cluster}: lag ${lag.toFixed(1)} s` };
  });
  return summary(lines);
}

function readinessOf(standings: ReadonlyMap<string, Standing>) {
  return summary([...standings].map(([cluster, standing]) => readinessOfOne(cluster, standing)));
}

/** One that waits for its turn is as ready as it can be, unless something else keeps it from having it. */
function readinessOfOne(cluster: string, { lead, failure }: Standing) {
  const { term } = lead ?? {};
  if (term) {
    const isWell = term.forwarder.stats.isFollowing;
    return { isWell, text: `${cluster}: ${isWell ? 'forwarding' : 'listing'}` };
  }
  const trouble = lead?.trouble ?? failure;
  if (trouble !== undefined) return { isWell: false, text: `${cluster}: ${oneLine(trouble)}` };
  return lead
    ? { isWell: true, text: `${cluster}: waiting for the lease` }
    : { isWell: false, text: `${cluster}: starting` };
}

function oneLine(trouble: unknown): string {
  return String(trouble).replaceAll(/\s+/g, ' ').trim();
}

function summary(lines: { isWell: boolean; text: string }[]) {
  const status = lines.every(({ isWell }) => isWell) ? 200 : 503;
  return { status, text: lines.map(({ text }) => `${text}\n`).join('') };
}
