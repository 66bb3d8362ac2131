import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type RequestOptions, request } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type AdmissionLimits, serveAdmission } from '../../../cli/run/admission-server.ts';
import type { Log } from '../../../lib/runtime/log.ts';
import { selfSignedCertificate } from '../../../tools/control-plane/certificate.ts';
import { claim, reviewOf } from '../../lib/admission-webhook/reviews.ts';
import { until } from '../../support/patience.ts';

const limits: AdmissionLimits = {
  bodyBytes: 4_000,
  requests: 2,
  connections: 4,
  requestMs: 300,
  certificateCheckMs: 20,
};
const [first, second] = [selfSignedCertificate(), selfSignedCertificate()];
const review = JSON.stringify(reviewOf({ object: claim({}, { transferAccept: 'prod/data' }) }));

let folder = '';
let files = { certificate: '', key: '' };
const said: string[] = [];
const write = (message: string, fields: object = {}) => void said.push(`${message} ${JSON.stringify(fields)}`);
const log: Log = { info: write, error: write, measure: () => {} };
let serving: Awaited<ReturnType<typeof serveAdmission>> | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longshore-admission-'));
  files = { certificate: join(folder, 'tls.crt'), key: join(folder, 'tls.key') };
  await put(first);
});
afterEach(async () => {
  await serving?.close();
  serving = undefined;
  said.length = 0;
  await rm(folder, { recursive: true });
});

async function put({ cert, key }: { cert: string; key: string }): Promise<void> {
  await writeFile(files.certificate, cert);
  await writeFile(files.key, key);
}

async function serve(special: Partial<AdmissionLimits> = {}): Promise<number> {
  serving = await serveAdmission({ at: { host: '127.0.0.1', port: 0 }, files }, log, { ...limits, ...special });
  return Number(serving.address.split(':')[1]);
}

interface Asking extends RequestOptions {
  body?: string | undefined;
  ca?: string;
}

function ask(port: number, { body, ca = first.cert, ...options }: Asking = {}) {
  return new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    const to = { host: '127.0.0.1', port, path: '/hold-accepting-claims', method: 'POST', ca, agent: false as const };
    const outgoing = request({ ...to, ...options }, async (incoming) => {
      resolve({ status: incoming.statusCode, text: (await incoming.toArray()).join('') });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** A connection on which what is given has been written, and what came back until it was closed. */
async function halfway(port: number, text: string): Promise<{ socket: TLSSocket; ended: Promise<string> }> {
  const socket = connectTls({ host: '127.0.0.1', port, ca: first.cert });
  socket.on('error', () => {});
  let received = '';
  socket.on('data', (bytes) => {
    received += bytes;
  });
  await once(socket, 'secureConnect');
  socket.write(text);
  return { socket, ended: once(socket, 'close').then(() => received) };
}

const head = (length: number) => `POST /hold-accepting-claims HTTP/1.1\r\nhost: a\r\ncontent-length: ${length}\r\n\r\n`;

test('a review is answered, over one connection several times', async () => {
  const port = await serve();
  const { status, text } = await ask(port, { body: review });
  expect(status).toBe(200);
  expect(JSON.parse(text).response).toMatchObject({ allowed: true, patchType: 'JSONPatch' });
  const message = `${head(Buffer.byteLength(review))}${review}`;
  const { socket, ended } = await halfway(port, `${message}${message}`);
  await pause(100);
  socket.end();
  expect((await ended).match(/HTTP\/1.1 200/g)).toHaveLength(2);
});

test.each<[string, number, Asking]>([
  ['garbage', 400, { body: 'garbage' }],
  ['no body', 400, {}],
  ['another method', 405, { method: 'GET' }],
  ['another path', 404, { path: '/', body: review }],
  ['a body that is too large', 413, { body: 'x'.repeat(limits.bodyBytes + 1) }],
  [
    'a body that is too large, of unknown length',
    413,
    { body: 'x'.repeat(limits.bodyBytes + 1), headers: { 'transfer-encoding': 'chunked' } },
  ],
])('%s gets %i', async (_, expected, asking) => {
  const port = await serve();
  expect((await ask(port, asking)).status).toBe(expected);
  expect((await ask(port, { body: review })).status).toBe(200);
});

test('a request that does not come to its end is given up, and so is a handshake', async () => {
  const port = await serve();
  const { ended } = await halfway(port, `${head(100)}{`);
  expect(await ended).toContain('408');
  const silent = connect({ host: '127.0.0.1', port });
  silent.on('error', () => {});
  await once(silent, 'close');
  const plain = connect({ host: '127.0.0.1', port });
  plain.on('error', () => {});
  plain.write('GET / HTTP/1.1\r\n\r\n');
  await once(plain, 'close');
  expect((await ask(port, { body: review })).status).toBe(200);
});

test('a connection on which nothing comes is closed, also one after another', async () => {
  const port = await serve();
  for (const begun of ['', 'POST /hold-accepting-claims HTTP/1.1\r\nhost: a\r\n']) {
    let isClosed = false;
    void (await halfway(port, begun)).ended.then(() => {
      isClosed = true;
    });
    // Node itself would wait for a minute.
    await until('it is closed', async () => isClosed, { limitMs: 30_000 });
  }
});

test('only who has sent a review keeps a connection', async () => {
  const port = await serve();
  const { ended } = await halfway(port, `${head(7)}garbage`);
  expect(await ended).toMatch(/^HTTP\/1\.1 400 [\s\S]*connection: close/i);
});

test('connections that are not used make room for others', async () => {
  const port = await serve({ requestMs: 60_000 });
  const message = `${head(Buffer.byteLength(review))}${review}`;
  const idle = await Promise.all(Array.from({ length: limits.connections }, () => halfway(port, message)));
  await pause(100);
  await until('it says so', () =>
    ask(port, { body: review }).then(
      ({ status }) => status === 200,
      () => false,
    ),
  );
  for (const { ended } of idle) expect(await ended).toContain('HTTP/1.1 200');
});

test('too many requests at a time are told so, and too many connections are closed', async () => {
  const port = await serve({ requestMs: 60_000 });
  const held = [await halfway(port, `${head(100)}{`), await halfway(port, `${head(100)}{`)];
  await until('it is refused', async () => (await ask(port, { body: review })).status === 503);
  held.push(await halfway(port, ''), await halfway(port, ''));
  await expect(ask(port, { body: review })).rejects.toThrow();
  for (const { socket } of held) socket.destroy();
  await until('it says so', () =>
    ask(port, { body: review }).then(
      ({ status }) => status === 200,
      () => false,
    ),
  );
  expect(said).toEqual([]);
});

test('a certificate that is replaced is used for new connections, and a broken one is not', async () => {
  const port = await serve();
  await expect(ask(port, { body: review, ca: second.cert })).rejects.toThrow();
  for (const broken of ['', second.cert]) {
    const before = said.length;
    await writeFile(files.certificate, broken);
    await until('something is said', () => said.length > before);
    expect(said.at(-1)).toMatch(/^certificate cannot be read again .*cannot be used together/);
    expect((await ask(port, { body: review })).status).toBe(200);
  }
  await put(second);
  const replaced = `certificate was replaced ${JSON.stringify({ certificate: files.certificate })}`;
  await until('it is said', () => said.includes(replaced));
  expect(said.at(-1)).toBe(replaced);
  expect((await ask(port, { body: review, ca: second.cert })).status).toBe(200);
});

test('files that cannot be used are named at once', async () => {
  await put({ cert: first.cert, key: second.key });
  await expect(serve()).rejects.toThrow(`${files.certificate} and ${files.key} cannot be used together`);
  await rm(files.key);
  await expect(serve()).rejects.toThrow(/^the key of --admission cannot be read: .*ENOENT/);
});

test('an address that is taken is told', async () => {
  const port = await serve();
  const again = serveAdmission({ at: { host: '127.0.0.1', port }, files }, log, limits);
  await expect(again).rejects.toThrow('EADDRINUSE');
});
