import type { AddressInfo, Socket } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { Call } from '../../../lib/kubernetes/api.ts';
import { Connection } from '../../../lib/kubernetes/connection.ts';
import { selfSignedCertificate } from '../../../tools/control-plane/certificate.ts';
import { patient } from '../../../tools/processes/patience.ts';

/** A server that is never done with what stands around a response: its head, the lengths of chunks, what follows them. */

const certificate = selfSignedCertificate();
const call: Call = { method: 'GET', path: '/api' };
const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

/** Says the one once, and the other for as long as somebody listens. */
async function endless(beginning: string, more: string) {
  const sockets: Socket[] = [];
  const answer = (socket: TLSSocket) => {
    const goOn = () => {
      while (!socket.destroyed && socket.write(more));
      if (!socket.destroyed) socket.once('drain', goOn);
    };
    socket.write(beginning);
    goOn();
  };
  const server = createServer(certificate, (socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    socket.once('data', () => answer(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const access = { server: address, certificateAuthority: certificate.cert };
  const connection = new Connection(access, { answerTimeoutMs: patient(1_000), callTimeoutMs: patient(1_000) });
  open.push(() => {
    connection.close();
    server.close();
  });
  return { connection, sockets };
}

const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';

describe.each([
  ['interim responses', '', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ['headers', 'HTTP/1.1 200 OK\r\n', `a: ${'x'.repeat(1_000)}\r\n`],
  ['one header', 'HTTP/1.1 200 OK\r\na: ', ' '.repeat(1_000)],
  ['what follows the length of a chunk', `${chunked}5;`, 'x=y;'.repeat(250)],
  ['the length of a chunk', chunked, '0'.repeat(1_000)],
  ['headers behind the body', `${chunked}0\r\n`, `a: ${'x'.repeat(1_000)}\r\n`],
])('%s without end', (_, beginning, more) => {
  test.each([
    ['a whole response', async (connection: Connection) => void (await connection.send(call))],
    ['a stream', async (connection: Connection) => void (await textOf(await connection.open(call, patient(1_000))))],
  ])('are given up: %s', async (__, read) => {
    const { connection, sockets } = await endless(beginning, more);
    await expect(read(connection)).rejects.toMatchObject({ class: 'unreachable' });
    for (const socket of sockets) while (!socket.closed) await new Promise((resolve) => setTimeout(resolve, 10));
  });
});

async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const chunk of stream) text += chunk;
  return text;
}
