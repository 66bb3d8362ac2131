import { createServer as createWebServer } from 'node:http';
import { createServer, type Server } from 'node:net';
import { CreateAccessKeyCommand } from '@aws-sdk/client-iam';
import { afterEach, expect, test } from '@jest/globals';
import { createDrivers } from '../../../../../lib/capabilities/buckets/drivers/drivers.ts';
import { connectTo } from '../../../../../lib/capabilities/buckets/drivers/s3/connect.ts';
import type { Settings } from '../../../../../lib/capabilities/buckets/drivers/s3/connection-settings.ts';
import { creating } from './requests.ts';

const settings: Settings = {
  region: 'eu-central-1',
  endpoint: 'http://127.0.0.1:9',
  iamEndpoint: 'http://127.0.0.1:10',
  forcePathStyle: true,
  credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
};

const closing: (() => void)[] = [];

afterEach(() => {
  for (const close of closing.splice(0)) close();
});

test('clients are kept for the same settings, and for no others', () => {
  const connect = connectTo();
  expect(connect({ ...settings })).toBe(connect(settings));
  const rotated = { ...settings, credentials: { accessKeyId: 'id', secretAccessKey: 'new' } };
  expect(connect(rotated)).not.toBe(connect(settings));
});

test('no more clients are kept than are likely to be used again', () => {
  const connect = connectTo();
  const [kept, dropped] = [connect(settings), connect({ ...settings, region: 'dropped-0' })];
  for (let index = 1; index <= 19; index++) {
    connect({ ...settings, region: `region-${index}` });
    connect(settings);
  }
  expect(connect(settings)).toBe(kept);
  expect(connect({ ...settings, region: 'dropped-0' })).not.toBe(dropped);
});

test('the making of a key is not repeated by itself, because the first one may have been made', async () => {
  let asked = 0;
  const server = createWebServer((_, response) => {
    asked++;
    response.writeHead(500).end();
  });
  const endpoint = await listening(server);
  const { iam } = connectTo()({ ...settings, iamEndpoint: endpoint });
  await expect(iam.send(new CreateAccessKeyCommand({ UserName: 'any' }))).rejects.toThrow();
  expect(asked).toBe(1);
});

test('a store that takes a request and never answers is not waited for past the deadline', async () => {
  const server = createServer(() => {});
  const parameters = { endpoint: await listening(server), driverSecretName: 'store' };
  const secrets = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };
  const driver = createDrivers([{ name: 'x.example.com', type: 's3' }]).get('x.example.com');
  const outcome = await driver?.createBucket(creating({ parameters, secrets, deadline: Date.now() + 200 }));
  expect(outcome).toMatchObject({ result: 'unavailable' });
});

test('a store that answers in another protocol is not waited for past the deadline', async () => {
  const switching = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.write(switching));
  });
  const parameters = { endpoint: await listening(server), driverSecretName: 'store' };
  const secrets = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };
  const driver = createDrivers([{ name: 'x.example.com', type: 's3' }]).get('x.example.com');
  const outcome = await driver?.createBucket(creating({ parameters, secrets, deadline: Date.now() + 300 }));
  expect(outcome).toMatchObject({ result: 'unavailable' });
});

test('a request says which change it is for, so that the store and CloudTrail can be asked, and not twice', async () => {
  const seen: Record<string, unknown>[] = [];
  const server = createWebServer(({ headers }, response) => {
    seen.push(headers);
    response.writeHead(503).end();
  });
  const parameters = { endpoint: await listening(server), driverSecretName: 'store' };
  const secrets = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };
  const driver = createDrivers([{ name: 'x.example.com', type: 's3' }]).get('x.example.com');
  const about = { parameters, secrets, deadline: Date.now() + 10_000 };
  const change = { id: '4bf92f3577b34da6a3ce929d0e0e4736', flags: '01' };
  await driver?.createBucket(creating({ ...about, change }));
  expect(seen.length).toBeGreaterThan(1);
  for (const headers of seen) {
    expect(headers.traceparent).toMatch(/^00-4bf92f3577b34da6a3ce929d0e0e4736-[0-9a-f]{16}-01$/);
    expect(headers['user-agent']).toMatch(/^aws-sdk-js\S* .*[^/] longshore-trace\/4bf92f3577b34da6a3ce929d0e0e4736$/);
    expect(String(headers['user-agent']).split('longshore-trace')).toHaveLength(2);
    // It is no part of the signature, which what is on the way could break by it.
    expect(headers.authorization).not.toContain('traceparent');
  }
  seen.splice(0);
  await driver?.createBucket(creating(about));
  expect(seen.length).toBeGreaterThan(0);
  for (const headers of seen) expect(JSON.stringify(headers)).not.toMatch(/traceparent|longshore-trace/);
});

async function listening(server: Server): Promise<string> {
  closing.push(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return `http://127.0.0.1:${address.port}`;
}
