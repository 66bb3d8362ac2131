import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import { Connection } from '../../../lib/queue/sqs/connection.ts';

test('a server that answers before it has read everything is asked nothing more on that connection', async () => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.once('data', () => {
      socket.pause();
      socket.write('HTTP/1.1 413 Payload Too Large\r\nContent-Length: 2\r\n\r\n{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const told: string[] = [];
  const listener = { onIdle: () => told.push('idle'), onClosed: () => told.push('closed') };
  const connection = new Connection(new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`), listener);
  try {
    // More than the system takes for a reader that does not read.
    const body = 'x'.repeat(64 * 1024 * 1024);
    const answer = await connection.exchange(`POST / HTTP/1.1\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    expect([answer.status, told[0]]).toEqual([413, 'closed']);
    expect(told).not.toContain('idle');
  } finally {
    connection.destroy();
    for (const socket of sockets) socket.destroy();
    server.close();
  }
});
