import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';
import { afterEach, expect, test } from '@jest/globals';
import { Connection } from '../../../lib/kubernetes/connection.ts';
import { selfSignedCertificate } from '../../../tools/control-plane/certificate.ts';
import { patient } from '../../../tools/processes/patience.ts';

const certificate = selfSignedCertificate();
const call = { method: 'GET', path: '/api?watch=true' } as const;
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A server that speaks to each connection as it is told to, byte by byte. */
async function serving(speak: (socket: TLSSocket, request: string) => void, trusted = certificate.cert) {
  const sockets: Socket[] = [];
  const server = createServer(certificate, (socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    socket.once('data', (request) => speak(socket, String(request)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const connection = new Connection({ server: address, certificateAuthority: trusted, token: async () => 'a-token' });
  closing.push(() => {
    connection.close();
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { connection, sockets };
}

const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
const piece = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;

async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const chunk of stream) text += chunk;
  return text;
}

test('a request says what is asked for, by whom and with which right, and the answer is read to its end', async () => {
  let asked = '';
  const { connection } = await serving((socket, request) => {
    asked = request;
    socket.write(`${head}${piece('one')}${piece('two')}0\r\n\r\n`);
  });
  const stream = await connection.open(call);
  expect([stream.statusCode, await textOf(stream)]).toEqual([200, 'onetwo']);
  expect(asked).toMatch(/^GET \/api\?watch=true HTTP\/1\.1\r\n/);
  expect(asked).toContain('authorization: Bearer a-token\r\n');
  expect(asked).toMatch(/\r\nhost: 127\.0\.0\.1:\d+\r\n/i);
});

test('what a server refuses is answered with its status and its words', async () => {
  const { connection } = await serving((socket) => {
    socket.write('HTTP/1.1 410 Gone\r\nContent-Length: 3\r\n\r\nold');
  });
  const stream = await connection.open(call);
  expect([stream.statusCode, await textOf(stream)]).toEqual([410, 'old']);
});

test('what comes is there at once, and not only when more comes', async () => {
  const more = Promise.withResolvers<void>();
  const { connection } = await serving(async (socket) => {
    socket.write(head + piece('first'));
    await more.promise;
    socket.write(`${piece('second')}0\r\n\r\n`);
  });
  const pieces: string[] = [];
  for await (const chunk of await connection.open(call)) {
    pieces.push(String(chunk));
    more.resolve();
  }
  expect(pieces).toEqual(['first', 'second']);
});

test('what comes in a crowd of pieces is read less often than it comes, whole and in order', async () => {
  const count = 20_000;
  const line = (index: number) => `${'x'.repeat(500)} ${index}\n`;
  const { connection } = await serving(async (socket) => {
    socket.write(head);
    for (let index = 0; index < count; index += 1) {
      if (!socket.write(piece(line(index)))) await once(socket, 'drain');
    }
    socket.write('0\r\n\r\n');
  });
  const chunks: string[] = [];
  for await (const chunk of await connection.open(call)) chunks.push(String(chunk));
  expect(chunks.join('')).toBe(Array.from({ length: count }, (_, index) => line(index)).join(''));
  expect(chunks.length).toBeLessThan(count / 4);
});

test('an answer that is cut off is an error, after what had come of it', async () => {
  const { connection } = await serving((socket) => socket.end(`${head}${piece('whole')}5\r\nha`));
  const pieces: string[] = [];
  const reading = async () => {
    for await (const chunk of await connection.open(call)) pieces.push(String(chunk));
  };
  await expect(reading()).rejects.toMatchObject({ class: 'unreachable', message: expect.stringMatching(/cut off/) });
  expect(pieces.join('')).toBe('wholeha');
});

test.each(['end', 'destroy'] as const)('a server that goes silently is noticed: %s', async (how) => {
  const { connection, sockets } = await serving((socket) => socket.write(head + piece('first')));
  const pieces: string[] = [];
  const reading = async () => {
    for await (const chunk of await connection.open(call)) {
      pieces.push(String(chunk));
      setTimeout(() => sockets[0]?.[how](), 50);
    }
  };
  await expect(reading()).rejects.toMatchObject({ class: 'unreachable' });
  expect(pieces).toEqual(['first']);
});

test('a reader that is slow slows the server down, and gets everything', async () => {
  const megabytes = 24;
  const text = 'x'.repeat(1024 * 1024);
  const { connection } = await serving(async (socket) => {
    socket.write(head);
    for (let count = 0; count < megabytes; count += 1) {
      if (!socket.write(piece(text))) await once(socket, 'drain');
    }
    socket.write('0\r\n\r\n');
  });
  let [total, largest] = [0, 0];
  for await (const chunk of await connection.open(call)) {
    total += chunk.length;
    largest = Math.max(largest, chunk.length);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(total).toBe(megabytes * text.length);
  expect(largest).toBeLessThan(3 * text.length);
});

test('whoever reads no further leaves no connection behind', async () => {
  const { connection, sockets } = await serving((socket) => socket.write(head + piece('first')));
  for await (const _ of await connection.open(call)) break;
  await closed(sockets[0]);
});

test('a signal, and the end of the connection to the cluster, end a stream that says nothing', async () => {
  const { connection, sockets } = await serving((socket) => socket.write(head));
  const over = new AbortController();
  const streams = [await connection.open(call, 0, over.signal), await connection.open(call)];
  const ends = streams.map((stream) => textOf(stream).catch((error: unknown) => error));
  over.abort();
  expect(await ends[0]).toMatchObject({ class: 'unreachable' });
  connection.close();
  expect(await ends[1]).toMatchObject({ class: 'unreachable' });
  await Promise.all(sockets.map(closed));
});

test('a stream that has said nothing for too long is given up', async () => {
  const { connection } = await serving((socket) => socket.write(head + piece('first')));
  await expect(textOf(await connection.open(call, 100))).rejects.toMatchObject({
    message: expect.stringMatching(/silent for 100 ms/),
  });
});

test('a server that cannot prove who it is gets no request', async () => {
  let isAsked = false;
  const { connection } = await serving(() => {
    isAsked = true;
  }, selfSignedCertificate().cert);
  await expect(connection.open(call)).rejects.toMatchObject({
    class: 'unreachable',
    message: expect.stringMatching(/certificate/),
  });
  expect(isAsked).toBe(false);
});

test.each(['SSH-2.0\r\n\r\n', `${head}what\r\n`])('%j is no answer, and an error', async (answer) => {
  const { connection } = await serving((socket) => socket.write(answer));
  const reading = async () => textOf(await connection.open(call));
  await expect(reading()).rejects.toMatchObject({ class: 'unreachable' });
});

async function closed(socket: Socket | undefined): Promise<void> {
  if (!socket) throw new Error('nobody has connected');
  if (!socket.closed) await once(socket, 'close');
}

test('a server is not silent while its reader is', async () => {
  const text = 'x'.repeat(1024 * 1024);
  const { connection } = await serving(async (socket) => {
    socket.write(head);
    for (let sent = 0; sent < 8; sent += 1) if (!socket.write(piece(text))) await once(socket, 'drain');
    socket.write('0\r\n\r\n');
  });
  const shortMs = patient(2_000);
  let length = 0;
  for await (const chunk of await connection.open(call, shortMs)) {
    if (length === 0) await new Promise((resolve) => setTimeout(resolve, 2 * shortMs));
    length += chunk.length;
  }
  expect(length).toBe(8 * text.length);
});
