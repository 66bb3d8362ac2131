import { expect, test } from '@jest/globals';
import type { LeaseCalls } from '../../../lib/forwarder/lease-calls.ts';
import { LeaseHold, type NotesOfHolder } from '../../../lib/forwarder/lease-hold.ts';
import { type LeaseRecord, requestsAnnotation, statusAnnotation } from '../../../lib/forwarder/lease-record.ts';
import { ClusterError } from '../../../lib/kubernetes/errors.ts';

const limit = { milliseconds: 1_000 };
const clock = { now: () => new Date(0), elapsedMs: () => 0, pause: async () => {} };

/** A server that keeps one Lease, with versions. */
function leaseServer() {
  let stored: LeaseRecord = {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: 'forward.test', resourceVersion: '0' },
  };
  const replace = (record: LeaseRecord): LeaseRecord => {
    const resourceVersion = String(Number(stored.metadata.resourceVersion) + 1);
    stored = { ...record, metadata: { ...record.metadata, resourceVersion } };
    return stored;
  };
  const write = async (record: LeaseRecord) => {
    if (record.metadata.resourceVersion === stored.metadata.resourceVersion) return replace(record);
    throw new ClusterError('conflict', 'changed', 409);
  };
  const annotate = (name: string, text: string) => {
    const annotations = { ...stored.metadata.annotations, [name]: text };
    replace({ ...stored, metadata: { ...stored.metadata, annotations } });
  };
  const calls = { read: async () => stored, write } as unknown as LeaseCalls;
  return { calls, annotate, annotations: () => stored.metadata.annotations ?? {}, stored: () => stored };
}

function holdOf(server: ReturnType<typeof leaseServer>, notes?: NotesOfHolder): LeaseHold {
  return new LeaseHold({ calls: server.calls, clock, cluster: 'main', holder: 'test/1', durationSeconds: 15, notes });
}

test('a request is told to the holder with its next renewal, and removed', async () => {
  const server = leaseServer();
  const seen: string[] = [];
  let text = 'first';
  const hold = holdOf(server, { status: () => text, onRequests: (requests) => seen.push(requests) });
  await hold.take(server.stored(), undefined, limit);
  expect(server.annotations()[statusAnnotation]).toBe('first');
  server.annotate(requestsAnnotation, '[1]');
  text = 'second';
  await hold.renew('checkpoint', limit);
  expect(seen).toEqual(['[1]']);
  expect(server.annotations()[requestsAnnotation]).toBeUndefined();
  expect(server.annotations()[statusAnnotation]).toBe('second');
  await hold.renew('checkpoint', limit);
  expect(seen).toHaveLength(1);
});

test('a holder without notes leaves requests, and takes away what an earlier holder has said', async () => {
  const server = leaseServer();
  server.annotate(statusAnnotation, 'of another one');
  const hold = holdOf(server);
  await hold.take(server.stored(), undefined, limit);
  server.annotate(requestsAnnotation, '[1]');
  await hold.renew('checkpoint', limit);
  expect(server.annotations()[requestsAnnotation]).toBe('[1]');
  expect(server.annotations()[statusAnnotation]).toBeUndefined();
});
