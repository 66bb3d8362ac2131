import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { Poster } from '../../../lib/queue/sqs/poster.ts';
import { patient } from '../../../tools/processes/patience.ts';

/** What a server that speaks HTTP as it likes is answered with. */

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}';

/** A server that speaks byte by byte. */
async function posterTo(speak: (socket: Socket, count: number) => void) {
  const sockets: Socket[] = [];
  let count = 0;
  const server: Server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    socket.on('data', () => {
      speak(socket, count);
      count += 1;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const poster = new Poster();
  open.push(() => {
    poster.close();
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const post = (body = 'x', limitMs = patient(5_000)) => {
    const headers = ['host', address.host, 'content-length', String(Buffer.byteLength(body))];
    return poster.post({ address, headers, body, limitMs });
  };
  return { post, sockets };
}

test.each([
  ['with a length', 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n"✓"'.replace('4', '5')],
  ['in chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n"\r\n4\r\n✓"\r\n0\r\n\r\n'],
  ['after an interim one', 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"✓"'],
])('a response %s is read, in whatever pieces it comes', async (_, text) => {
  const { post } = await posterTo(async (socket) => {
    socket.setNoDelay(true);
    for (const byte of Buffer.from(text)) {
      socket.write(Buffer.from([byte]));
      await new Promise((resolve) => setImmediate(resolve));
    }
  });
  expect(await post()).toMatchObject({ status: 200, body: '"✓"' });
});

test.each([
  'SSH-2.0-OpenSSH_9.2\r\n\r\n',
  'HTTP/1.1 20\r\n\r\n',
  'HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n',
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nno length\r\n',
  'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  `HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(128 * 1024)}\r\n\r\n`,
])('what is no response is an error, at once: %.60j', async (text) => {
  const { post } = await posterTo((socket) => socket.write(text));
  await expect(post()).rejects.toMatchObject({ name: 'SendError', status: undefined });
});

test('a response without an end is given up before it fills the memory', async () => {
  const { post, sockets } = await posterTo((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    const more = () => {
      while (!socket.destroyed && socket.write('x'.repeat(64 * 1024)));
      if (!socket.destroyed) socket.once('drain', more);
    };
    more();
  });
  await expect(post()).rejects.toThrow('longer than any response');
  await closed(sockets[0]);
});

test('what comes after a response is not taken for the response to the next call', async () => {
  const forged = 'HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n"lies"';
  const { post } = await posterTo((socket, count) => socket.write(count === 0 ? ok + forged : ok));
  await post().catch(() => {});
  expect(await post()).toMatchObject({ body: '{}' });
});

test('a server that answers before it has read everything is asked nothing more on that connection', async () => {
  const { post, sockets } = await posterTo((socket, count) => {
    if (count > 0) return void socket.write(ok);
    socket.pause();
    socket.write('HTTP/1.1 413 Payload Too Large\r\nContent-Length: 2\r\n\r\n{}');
  });
  // More than the system takes for a reader that does not read.
  expect(await post('x'.repeat(64 * 1024 * 1024))).toMatchObject({ status: 413 });
  expect(await post()).toMatchObject({ status: 200 });
  expect(sockets).toHaveLength(2);
});

test('a call that waits for a connection until its time is over is not made', async () => {
  const { post, sockets } = await posterTo(() => {});
  const hanging = Array.from({ length: 64 }, () => post().catch((error: unknown) => error));
  await expect(post('x', 200)).rejects.toMatchObject({ code: 'TimeLimit' });
  expect(sockets.length).toBeLessThanOrEqual(64);
  open.pop()?.();
  for (const ended of await Promise.all(hanging)) expect(ended).toMatchObject({ code: 'Closed' });
});

async function closed(socket: Socket | undefined): Promise<void> {
  if (!socket) throw new Error('nobody has connected');
  while (!socket.closed) await new Promise((resolve) => setTimeout(resolve, 10));
}
