import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Checkpoint } from '../../../lib/forwarder/checkpoint.ts';
import { type Lease, LeaseLost } from '../../../lib/forwarder/lease.ts';
import { failure } from './lease-server.ts';
import { LeaseStage } from './lease-stage.ts';

const never = new AbortController().signal;
const first: Checkpoint = { claims: '7' };
const held = { outcome: 'held', checkpoint: undefined };
let stage: LeaseStage;
let lease: Lease;

beforeEach(() => {
  stage = new LeaseStage();
  lease = stage.lease('one');
});

const take = () => stage.settle(lease.acquire({ signal: never }), 100);

describe('a lease that nobody has', () => {
  test('is made by the first who wants it', async () => {
    expect(await take()).toEqual({ value: held, atMs: 20 });
    expect(stage.server.stored?.spec).toEqual({
      holderIdentity: 'one',
      leaseDurationSeconds: 15,
      leaseTransitions: 0,
      acquireTime: '2026-11-19T00:00:00.010000Z',
      renewTime: '2026-11-19T00:00:00.010000Z',
    });
    expect(lease.isHeldFor(14_900)).toBe(true);
    expect(lease.isHeldFor(14_910)).toBe(false);
  });

  test('is not waited for when the signal has aborted before', async () => {
    const { value } = await stage.settle(lease.acquire({ signal: AbortSignal.abort() }), 100);
    expect(value).toEqual({ outcome: 'stopped' });
    expect(stage.server.stored).toBeUndefined();
  });

  test('tells who may not have it what an administrator is to apply', async () => {
    const message = 'leases is forbidden: User "forward" cannot get resource "leases"';
    stage.server.handle = () => failure(403, 'Forbidden', message);
    const { error } = await take();
    expect(error?.message).toContain('apply manifests/rbac/forward.yaml');
    expect(error?.message).toContain(message);
  });

  test('tells that its namespace is missing, and what to apply', async () => {
    stage.server.handle = () => failure(404, 'NotFound');
    const { error } = await take();
    expect(error?.message).toBe(
      'the namespace longshore-system is missing: apply manifests/ to this cluster, the namespace first',
    );
  });

  test('is not passed off as waited for when the cluster cannot be reached', async () => {
    stage.fate = { requestMs: undefined, answerMs: undefined };
    const stop = new AbortController();
    stage.time.at(10_000, () => stop.abort());
    const { error, atMs } = await stage.settle(lease.acquire({ signal: stop.signal }), 20_000);
    expect(error?.message).toContain('no answer about the Lease forwarder within 3000 ms');
    expect(atMs).toBe(10_000);
  });
});

describe('a lease that is kept', () => {
  let stop: AbortController;
  let keeping: Promise<void>;
  let checkpoint: Checkpoint;
  beforeEach(async () => {
    stop = new AbortController();
    checkpoint = first;
    await take();
    keeping = lease.keep(stop.signal, () => checkpoint);
  });

  test('is renewed with the checkpoint, and is let alone when the signal aborts', async () => {
    stage.time.at(60_000, () => stop.abort());
    expect(await stage.settle(keeping, 61_000)).toEqual({ value: undefined, atMs: 60_000 });
    expect(lease.isHeldFor(11_000)).toBe(true);
    expect(stage.server.stored?.metadata.annotations?.['longshore.dev/checkpoint']).toBe('{"claims":"7"}');
  });

  test('tells since when its checkpoint is in the cluster, which to write it again does not change', async () => {
    await stage.time.runUntil(10_000);
    const since = lease.checkpointWrittenAt;
    await stage.time.runUntil(20_000);
    expect(lease.checkpointWrittenAt).toBe(since);
    checkpoint = { claims: '8' };
    await stage.time.runUntil(30_000);
    expect(lease.checkpointWrittenAt).toBeGreaterThan(since ?? 0);
  });

  test('stays with its holder when somebody adds to it, who finds there what they added', async () => {
    await stage.time.runUntil(5_000);
    stage.edit((record) => ({ ...record, metadata: { ...record.metadata, labels: { team: 'storage' } } }));
    await stage.time.runUntil(30_000);
    expect(lease.isHeldFor(10_000)).toBe(true);
    expect(stage.server.stored?.metadata.labels).toEqual({ team: 'storage' });
  });

  test('is lost when somebody else has it, who is not disturbed', async () => {
    stage.edit((record) => ({ ...record, spec: { ...record.spec, holderIdentity: 'somebody' } }));
    const { error } = await stage.settle(keeping, 3_000);
    expect(error).toBeInstanceOf(LeaseLost);
    expect(error?.message).toContain('it is held by somebody now');
    expect(lease.isHeldFor(0)).toBe(false);
    const { stored } = stage.server;
    await stage.settle(lease.release(first), 10_000);
    expect(stage.server.stored).toBe(stored);
  });

  test('is lost when it is deleted, and is not made anew', async () => {
    stage.server.stored = undefined;
    const { error } = await stage.settle(keeping, 3_000);
    expect(error?.message).toContain('it has been deleted');
    expect(stage.server.stored).toBeUndefined();
  });

  test('is lost when it cannot be renewed in time, for the reason that is told', async () => {
    stage.fate = { requestMs: 5, answerMs: 5, refusal: 500 };
    const { error, atMs } = await stage.settle(keeping, 20_000);
    expect(error).toBeInstanceOf(LeaseLost);
    expect(error?.message).toContain('it could not be renewed in time, because Refused');
    expect(atMs).toBe(15_010);
  });

  test('is kept through renewals whose answers are lost, for as long as it lasts', async () => {
    await stage.time.runUntil(10_000);
    stage.fate = { requestMs: 5, answerMs: undefined };
    await stage.time.runUntil(18_000);
    stage.fate = { requestMs: 5, answerMs: 5 };
    await stage.time.runUntil(30_000);
    expect(lease.isHeldFor(10_000)).toBe(true);
  });

  test('ends with what the cluster will not have', async () => {
    stage.server.handle = () => failure(422, 'Invalid', 'annotations are too long');
    expect((await stage.settle(keeping, 3_000)).error?.message).toBe('annotations are too long');
  });
});

test('what was never taken cannot be kept', async () => {
  const { error } = await stage.settle(
    lease.keep(never, () => first),
    100,
  );
  expect(error).toBeInstanceOf(LeaseLost);
});
