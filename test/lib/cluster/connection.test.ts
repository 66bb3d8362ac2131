import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { Connection } from '../../../lib/cluster/connection.ts';
import { selfSignedCertificate } from './certificate.ts';

const certificate = selfSignedCertificate();
const shortMs = 200;
const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

async function connectTo(server: Server, answerTimeoutMs?: number): Promise<Connection> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const options = answerTimeoutMs === undefined ? {} : { answerTimeoutMs };
  const connection = new Connection({ server: address, certificateAuthority: certificate.cert }, options);
  open.push(() => {
    connection.close();
    server.close();
  });
  return connection;
}

const call = { method: 'GET', path: '/api' } as const;

test('a server that takes a connection and says nothing, not even who it is, is given up in time', async () => {
  const sockets: { destroy(): void }[] = [];
  const connection = await connectTo(
    createServer((socket) => sockets.push(socket)),
    shortMs,
  );
  await expect(connection.open(call)).rejects.toMatchObject({ class: 'unreachable', message: /no answer in 200 ms/ });
  for (const socket of sockets) socket.destroy();
});

test('an answer that stops in the middle is given up in time', async () => {
  const server = createTlsServer(certificate, (_, response) => {
    response.writeHead(200, { 'content-length': 100 });
    response.write('{"kind"');
  });
  const connection = await connectTo(server, shortMs);
  await expect(connection.send(call)).rejects.toMatchObject({ class: 'unreachable' });
});

test('whoever no longer waits for an answer is told at once', async () => {
  const over = new AbortController();
  const connection = await connectTo(createTlsServer(certificate, () => over.abort()));
  await expect(connection.sendForBytes(call, over.signal)).rejects.toMatchObject({ class: 'unreachable' });
  await expect(connection.sendForBytes(call, over.signal)).rejects.toMatchObject({ class: 'unreachable' });
});
