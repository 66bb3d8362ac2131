import { get } from 'node:http';
import { afterEach, expect, test } from '@jest/globals';
import { serveStatus } from '../../cli/forward-status.ts';
import { noArchive } from '../../lib/archive/archive.ts';
import type { ElectedForwarder, LeadershipTerm } from '../../lib/forwarder/elected-forwarder.ts';
import type { Forwarder } from '../../lib/forwarder/forwarder.ts';
import type { ForwardingState } from '../../lib/forwarder/forwarding-state.ts';
import type { Lease } from '../../lib/forwarder/lease.ts';
import { Outbox } from '../../lib/queue/outbox.ts';
import { realClock } from '../../lib/runtime/clock.ts';

const servers: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function askAll(states: Record<string, ForwardingState>, ...paths: string[]) {
  const server = await serveStatus({ host: '127.0.0.1', port: 0 }, new Map(Object.entries(states)), realClock);
  servers.push(server);
  const answers = [];
  for (const path of paths) answers.push(await ask(server.address, path));
  return answers;
}

/** The path goes out as it is, whether or not it is one. */
function ask(address: string, path: string): Promise<{ status: number | undefined; text: string }> {
  const [host, port] = address.split(':');
  return new Promise((resolve, reject) => {
    get({ host, port, path }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (piece: string) => {
        text += piece;
      });
      response.on('end', () => resolve({ status: response.statusCode, text }));
    }).on('error', reject);
  });
}

/** A term in which everything was listed, and the server was heard of just so long ago. */
function leading({ isFollowing = true, silentMs = 0 } = {}): ElectedForwarder {
  const lastResponseMs = realClock.elapsedMs() - silentMs;
  const forwarder = { stats: { isFollowing, lastResponseMs, lists: 1, watchFailures: 2 }, unfinished: 3 };
  const term: LeadershipTerm = {
    forwarder: forwarder as unknown as Forwarder,
    outbox: new Outbox({ send: async () => [], clock: realClock, onFailure: () => {} }),
    archive: noArchive,
    lease: { checkpointWrittenAt: realClock.elapsedMs() } as Lease,
  };
  return { term, acquireError: undefined } as ElectedForwarder;
}

const waiting = (acquireError?: Error) => ({ term: undefined, acquireError }) as ElectedForwarder;

test('one that forwards is ready and well, and says how it gets on', async () => {
  const [ready, health, metrics] = await askAll({ main: { lead: leading() } }, '/readyz', '/healthz', '/metrics?all');
  expect(ready).toEqual({ status: 200, text: 'main: forwarding\n' });
  expect(health).toEqual({ status: 200, text: 'main: lag 0.0 s\n' });
  expect(metrics?.text).toContain('longshore_forwarder_leading{cluster="main"} 1\n');
  expect(metrics?.text).toContain('longshore_forwarder_unfinished{cluster="main"} 3\n');
  expect(metrics?.text).toContain('# TYPE longshore_forwarder_watch_failures_total counter\n');
});

test('one that lists is not ready yet, and one that waits for its turn is', async () => {
  const states = { main: { lead: leading({ isFollowing: false }) }, edge: { lead: waiting() } };
  const [ready, metrics] = await askAll(states, '/readyz', '/metrics');
  expect(ready).toEqual({ status: 503, text: 'main: listing\nedge: waiting for the lease\n' });
  expect(metrics?.text).toContain('longshore_forwarder_leading{cluster="edge"} 0\n');
  expect(metrics?.text).not.toContain('longshore_forwarder_lag_seconds{cluster="edge"}');
});

test('what keeps it from its turn makes it unready, and is said', async () => {
  const states = {
    away: { lead: waiting(new Error('the API server\ncannot be reached')) },
    denied: { failure: new Error('apply manifests/rbac/forward.yaml') },
    new: {},
  };
  const [ready] = await askAll(states, '/readyz');
  expect(ready?.status).toBe(503);
  expect(ready?.text).toBe(
    'away: Error: the API server cannot be reached\ndenied: Error: apply manifests/rbac/forward.yaml\nnew: starting\n',
  );
});

test('one that has heard nothing of its server for minutes is not well', async () => {
  const [health] = await askAll({ main: { lead: leading({ silentMs: 400_000 }) } }, '/healthz');
  expect(health?.status).toBe(503);
});

test('whatever else is asked for is not there, and ends nothing', async () => {
  const answers = await askAll({ main: { lead: leading() } }, '//', '/?x=//', '/constructor', '/readyz');
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 200]);
});
