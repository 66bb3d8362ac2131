import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { Connection } from '../../../lib/kubernetes/connection.ts';
import { listAll } from '../../../lib/kubernetes/list.ts';
import type { ClusterObject } from '../../../lib/kubernetes/objects.ts';
import type { Resource } from '../../../lib/kubernetes/resource.ts';
import { resources } from '../../../lib/kubernetes/resources.ts';
import { type WatchEvent, type WatchOptions, watch } from '../../../lib/kubernetes/watch.ts';
import { selfSignedCertificate } from '../../../tools/control-plane/certificate.ts';

const certificate = selfSignedCertificate();
const accepted: (string | undefined)[] = [];
/** What is answered to each call, in this order. */
const answers: object[] = [];

const usually = (outgoing: ServerResponse) => void outgoing.end(`${JSON.stringify(answers.shift())}\n`);
let answering = usually;

const server = createServer(certificate, (incoming, outgoing) => {
  accepted.push(incoming.headers.accept);
  answering(outgoing);
});
let connection: Connection;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  connection = new Connection({ server: address, certificateAuthority: certificate.cert });
});
afterEach(() => {
  accepted.length = 0;
  answers.length = 0;
  answering = usually;
});
afterAll(async () => {
  connection.close();
  await new Promise((resolve) => server.close(resolve));
});

const { secret, configMap } = resources;
const inMetadata = { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata' };
const metadata = { namespace: 'prod', name: 'data', resourceVersion: '7' };

async function listed(resource: Resource) {
  const objects: ClusterObject[] = [];
  const version = await listAll(connection, resource, (object) => objects.push(object));
  return { objects, version };
}

async function watched(resource: Resource, more: Partial<WatchOptions> = {}): Promise<WatchEvent[]> {
  const events: WatchEvent[] = [];
  const options = { from: '1', signal: AbortSignal.timeout(5_000), ...more };
  for await (const several of watch(connection, resource, options)) events.push(...several);
  return events;
}

test('metadata alone is asked for in no other form, and belongs to the object that it is of', async () => {
  const { apiVersion, kind } = secret;
  answers.push({ metadata: { resourceVersion: '8', continue: 'more' }, items: [{ ...inMetadata, metadata }] });
  answers.push({ metadata: { resourceVersion: '9' }, items: null });
  answers.push({ type: 'MODIFIED', object: { ...inMetadata, metadata } });
  expect(await listed(secret)).toEqual({ objects: [{ apiVersion, kind, metadata }], version: '9' });
  expect(await watched(secret)).toEqual([{ type: 'MODIFIED', object: { apiVersion, kind, metadata } }]);
  const form = (of: string) => `application/json;as=${of};g=meta.k8s.io;v=v1`;
  const list = form('PartialObjectMetadataList');
  expect(accepted).toEqual([list, list, form('PartialObjectMetadata')]);
});

test('everything else is asked for as a whole', async () => {
  const { apiVersion, kind } = configMap;
  answers.push({ metadata: { resourceVersion: '9' }, items: [{ metadata, data: { a: 'b' } }] });
  answers.push({ type: 'ADDED', object: { apiVersion, kind, metadata, data: { a: 'b' } } });
  const objects = [{ apiVersion, kind, metadata, data: { a: 'b' } }];
  expect(await listed(configMap)).toEqual({ objects, version: '9' });
  expect(await watched(configMap)).toEqual([{ type: 'ADDED', object: objects[0] }]);
  expect(accepted).toEqual(['application/json', 'application/json']);
});

test.each([secret, configMap])(
  'a watch of $plural that begins too long ago is told so inside the stream',
  async (resource) => {
    answers.push({ type: 'ERROR', object: { kind: 'Status', apiVersion: 'v1', code: 410, reason: 'Expired' } });
    await expect(watched(resource)).rejects.toMatchObject({ class: 'expired' });
  },
);

test('the end of a list is known by what nobody else reads of it', async () => {
  const annotations = { 'k8s.io/initial-events-end': 'true', note: 'of no use' };
  const { apiVersion, kind } = configMap;
  answers.push({ type: 'BOOKMARK', object: { apiVersion, kind, metadata: { resourceVersion: '9', annotations } } });
  const [event] = await watched(configMap, { selection: { metadata: { name: true } } });
  expect(event).toMatchObject({ type: 'LISTED', object: { metadata: { resourceVersion: '9' } } });
  expect(Object.keys(event?.object.metadata.annotations ?? {})).toEqual(['k8s.io/initial-events-end']);
});

describe('a server without an end', () => {
  /** Says the same again and again, until nobody listens. */
  function endless(status: number) {
    let isClosed = false;
    answering = (outgoing) => {
      outgoing.on('close', () => {
        isClosed = true;
      });
      outgoing.writeHead(status);
      const more = () => {
        while (!outgoing.destroyed && outgoing.write('x'.repeat(1024 * 1024)));
        if (!outgoing.destroyed) outgoing.once('drain', more);
      };
      more();
    };
    return { isClosed: () => isClosed };
  }

  test('is left in the middle of a line that is longer than any object', async () => {
    const { isClosed } = endless(200);
    await expect(watched(configMap)).rejects.toMatchObject({
      class: 'unreachable',
      message: expect.stringMatching(/has a line of more than/),
    });
    await until(isClosed);
  });

  test('is left in the middle of what it refuses with', async () => {
    const { isClosed } = endless(503);
    await expect(watched(configMap)).rejects.toMatchObject({ class: 'unreachable', status: 503 });
    await until(isClosed);
  });
});

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}
