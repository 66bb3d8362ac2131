import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { createServer as createSecureServer } from 'node:tls';
import { afterEach, expect, test } from '@jest/globals';
import { Connection } from '../../../lib/kubernetes/connection.ts';
import { selfSignedCertificate } from '../../../tools/control-plane/certificate.ts';

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
  await expect(connection.open(call)).rejects.toMatchObject({
    class: 'unreachable',
    message: expect.stringMatching(/no answer in 200 ms/),
  });
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

test('an answer in another protocol ends its call, whole answers and streams alike', async () => {
  const switching = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
  const server = createSecureServer({ ...certificate, ALPNProtocols: ['http/1.1'] }, (socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.write(switching));
  });
  const connection = await connectTo(server, shortMs);
  const message = expect.stringContaining('another protocol');
  await expect(connection.send(call)).rejects.toMatchObject({ class: 'unreachable', message });
  await expect(connection.open(call)).rejects.toMatchObject({ class: 'unreachable' });
});

test('whoever no longer waits for an answer is told at once', async () => {
  const over = new AbortController();
  const connection = await connectTo(createTlsServer(certificate, () => over.abort()));
  await expect(connection.sendForBytes(call, over.signal)).rejects.toMatchObject({ class: 'unreachable' });
  await expect(connection.sendForBytes(call, over.signal)).rejects.toMatchObject({ class: 'unreachable' });
});

test('an API below a path is asked below it, whole answers and streams alike', async () => {
  const asked: (string | undefined)[] = [];
  const server = createTlsServer(certificate, ({ url }, response) => {
    asked.push(url);
    response.end('{}');
  });
  const plain = await connectTo(server);
  const { port } = server.address() as AddressInfo;
  const options = { certificateAuthority: certificate.cert };
  const connection = new Connection({ server: `https://127.0.0.1:${port}/k8s/clusters/c-1/`, ...options });
  open.push(() => connection.close());
  for (const each of [plain, connection]) {
    await each.send(call);
    for await (const _ of await each.open(call)) expect(String(_)).toBe('{}');
  }
  expect(asked).toEqual(['/api', '/api', '/k8s/clusters/c-1/api', '/k8s/clusters/c-1/api']);
});

test.each(['https://', 'https://user:word@host', 'https://host/?a=b', 'https://host/#c'])('%s is refused', (server) => {
  expect(() => new Connection({ server })).toThrow("the API server's address must be a host");
});

test('a token with a line break in it is sent nowhere', async () => {
  const asked: unknown[] = [];
  const server = createTlsServer(certificate, (incoming) => asked.push(incoming));
  await connectTo(server);
  const { port } = server.address() as AddressInfo;
  const access = { server: `https://127.0.0.1:${port}`, certificateAuthority: certificate.cert };
  const connection = new Connection({ ...access, token: async () => 'token\nx-more: 1' });
  open.push(() => connection.close());
  await expect(connection.open(call)).rejects.toMatchObject({
    class: 'unreachable',
    message: expect.stringMatching(/Invalid character in header content \["authorization"\]$/),
  });
  await expect(connection.send(call)).rejects.toMatchObject({ class: 'unreachable' });
  expect(asked).toEqual([]);
});
