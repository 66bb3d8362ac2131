import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Connection } from '../../../lib/cluster/connection.ts';
import { type Resource, resources } from '../../../lib/cluster/resources.ts';
import { Forwarder } from '../../../lib/forwarder/forwarder.ts';
import { Outbox } from '../../../lib/queue/outbox.ts';
import { selfSignedCertificate } from '../cluster/certificate.ts';

const certificate = selfSignedCertificate();
/** What each kind's lists answer, one after the other. The first watch of it begins too long ago, and the next one waits. */
const lists = new Map<string, { status: number; body: object }[]>();
const watched: string[] = [];

const server = createServer(certificate, (incoming, outgoing) => {
  const { pathname, searchParams } = new URL(incoming.url ?? '', 'https://server');
  const plural = pathname.split('/').at(-1) ?? '';
  const from = searchParams.get('resourceVersion');
  if (!searchParams.has('watch')) {
    const { status, body } = lists.get(plural)?.shift() ?? { status: 500, body: {} };
    outgoing.writeHead(status).end(JSON.stringify(body));
  } else {
    watched.push(`${plural} from ${from}`);
    if (from === '1') outgoing.end(JSON.stringify({ type: 'ERROR', object: { kind: 'Status', code: 410 } }));
    else outgoing.flushHeaders();
  }
});
let connection: Connection;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
beforeEach(() => {
  const address = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  connection = new Connection({ server: address, certificateAuthority: certificate.cert });
  watched.length = 0;
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
});

const page = (resourceVersion: string, ...names: string[]) => ({
  status: 200,
  body: { metadata: { resourceVersion }, items: names.map((name) => ({ metadata: { namespace: 'prod', name } })) },
});

/** Runs a forwarder of these kinds until the condition is met. */
async function runUntil(kinds: readonly Resource[], condition: () => boolean) {
  const told: string[] = [];
  const seen: string[] = [];
  const abort = new AbortController();
  const tell = (message: string, fields: object = {}) => void told.push(`${message} ${JSON.stringify(fields)}`);
  const timer = setInterval(() => condition() && abort.abort(), 10);
  await new Forwarder({
    cluster: 'test',
    connection,
    outbox: new Outbox({ send: async () => [], pause: async () => {}, onFailure: () => {} }),
    log: { info: tell, error: tell, measure: () => {} },
    now: () => new Date(),
    pause: async () => {},
    resources: kinds,
    router: { note: ({ type, object }) => void seen.push(`${type} ${object.metadata.name}`), routesOf: () => [] },
  }).run(AbortSignal.any([abort.signal, AbortSignal.timeout(10_000)]));
  clearInterval(timer);
  connection.close();
  return { told: told.map((line) => line.replace(/ \{.*/, '')), seen };
}

test('what was missed is listed anew, and watched from there on', async () => {
  lists.set('configmaps', [page('1', 'first'), { status: 503, body: {} }, page('2', 'first', 'second')]);
  const { told, seen } = await runUntil([resources.configMap], () => watched.length === 2);
  expect(watched).toEqual(['configmaps from 1', 'configmaps from 2']);
  expect(seen).toEqual(['listed first', 'listed first', 'listed second']);
  expect(told).toEqual(['listed', 'watch failed', 'list failed']);
});

test('a kind that may no longer be listed is left out, and the others go on', async () => {
  const message = 'secrets is forbidden: User "forward" cannot list resource "secrets"';
  lists.set('secrets', [page('1'), { status: 403, body: { kind: 'Status', message } }]);
  lists.set('configmaps', [page('1'), page('2')]);
  const isOver = () => watched.length === 3 && lists.get('secrets')?.length === 0;
  const { told } = await runUntil([resources.secret, resources.configMap], isOver);
  expect(watched).toContain('configmaps from 2');
  expect(told.filter((line) => line.startsWith('kind left out'))).toHaveLength(1);
  expect(told).not.toContain('list failed');
});
