import { beforeEach, expect, test } from '@jest/globals';
import type { Checkpoint } from '../../../lib/forwarder/checkpoint.ts';
import type { Lease } from '../../../lib/forwarder/lease.ts';
import { LeaseStage } from './lease-stage.ts';

const never = new AbortController().signal;
const checkpoint: Checkpoint = { claims: '7', volumes: '9' };
const hourMs = 3_600_000;
/** A time of day by the other one's clock, so long after the start. */
const otherAfter = (milliseconds: number) => new Date(Date.UTC(2026, 10, 19) - 4 * hourMs + milliseconds);
let stage: LeaseStage;
let one: Lease;
let other: Lease;

beforeEach(() => {
  stage = new LeaseStage();
  one = stage.lease('one', { wallOffsetMs: 3 * hourMs });
  other = stage.lease('other', { wallOffsetMs: -4 * hourMs });
});

/** The first holder keeps the lease from the start on, until it ends by itself, which is like a crash. */
async function keptUntil(endMs: number, endsAt?: Date): Promise<void> {
  await stage.settle(one.acquire({ signal: never, ...(endsAt ? { endsAt } : {}) }), 100);
  const end = new AbortController();
  stage.time.at(endMs, () => end.abort());
  one.keep(end.signal, () => checkpoint).catch((error) => stage.told.push(String(error)));
}

test('who waits has it when its record has not changed for the duration, whatever the clocks say', async () => {
  await keptUntil(30_500);
  const waiting = other.acquire({ signal: never });
  const { value, atMs } = await stage.settle(waiting, 60_000);
  expect(value).toEqual({ outcome: 'held', checkpoint });
  // The last renewal was at about 30 s; it is seen at the next poll.
  expect(atMs).toBeGreaterThan(44_000);
  expect(atMs).toBeLessThan(46_500);
  expect(stage.server.stored?.spec).toMatchObject({ holderIdentity: 'other', leaseTransitions: 1 });
});

test('who waits has what is given away at the next poll, with the checkpoint that came with it', async () => {
  await keptUntil(30_500);
  const last = { ...checkpoint, volumes: '10' };
  stage.time.at(30_500, () => void one.release(last));
  const { value, atMs } = await stage.settle(other.acquire({ signal: never }), 60_000);
  expect(value).toEqual({ outcome: 'held', checkpoint: last });
  expect(atMs).toBeLessThan(31_600);
});

test('a lease is not ours any more from when we begin to give it away', async () => {
  await keptUntil(5_000);
  await stage.time.runUntil(6_000);
  stage.fate = { requestMs: undefined, answerMs: undefined };
  const releasing = one.release(checkpoint);
  expect(one.isHeldFor(0)).toBe(false);
  expect((await stage.settle(releasing, 12_000)).atMs).toBe(9_000);
  expect(stage.told).toContain('lease not released');
});

test('what a late renewal has changed is given away all the same', async () => {
  let writes = 0;
  stage.server.onWritten = () => {
    writes += 1;
  };
  // The renewal that is sent at 2,100 ms is accepted when its answer is waited for no more, and before the release is.
  stage.fate = { requestMs: 30, answerMs: 5 };
  await keptUntil(2_110);
  stage.time.at(2_120, () => void one.release(checkpoint));
  await stage.time.runUntil(2_140);
  expect(writes).toBe(2);
  await stage.time.runUntil(10_000);
  expect(writes).toBe(3);
  expect(stage.server.stored?.spec?.holderIdentity).toBe('');
  expect(stage.told).not.toContain('lease not released');
});

test('what its holder takes along for longer than it pays to wait is waited for in vain, once the holder is seen alive', async () => {
  const endsAt = new Date(Date.UTC(2026, 10, 19, 2));
  await keptUntil(60_000, endsAt);
  const waiting = other.acquire({ signal: never, giveUpAfter: new Date(endsAt.getTime() - 1) });
  const { value, atMs } = await stage.settle(waiting, 10_000);
  expect(value).toEqual({ outcome: 'another-leads' });
  expect(atMs).toBeGreaterThan(2_000);
});

test('a holder that has died is outwaited, however long it meant to go on', async () => {
  await keptUntil(1_000, new Date(Date.UTC(2027, 0, 1)));
  const { value } = await stage.settle(other.acquire({ signal: never, giveUpAfter: otherAfter(60_000) }), 20_000);
  expect(value).toMatchObject({ outcome: 'held' });
  expect(stage.server.stored?.metadata.annotations).not.toHaveProperty('longshore.dev/ends-at');
});

test('a holder that ends in time, or does not say when, is waited for', async () => {
  const endsAt = new Date(Date.UTC(2026, 10, 19, 2));
  await keptUntil(20_000, endsAt);
  const stop = new AbortController();
  stage.time.at(15_000, () => stop.abort());
  const { value } = await stage.settle(other.acquire({ signal: stop.signal, giveUpAfter: endsAt }), 16_000);
  expect(value).toEqual({ outcome: 'stopped' });
});

test('a holder that does not say when it ends is waited for in vain, but no longer than it pays', async () => {
  await keptUntil(60_000);
  const waiting = other.acquire({ signal: never, giveUpAfter: otherAfter(20_000) });
  const { value, atMs } = await stage.settle(waiting, 30_000);
  expect(value).toEqual({ outcome: 'another-leads' });
  expect(atMs).toBeGreaterThanOrEqual(20_000);
});

test('a cluster that cannot be reached is waited for no longer than it pays, and the run fails', async () => {
  stage.fate = { requestMs: undefined, answerMs: undefined };
  const waiting = other.acquire({ signal: never, giveUpAfter: otherAfter(20_000) });
  const { error, atMs } = await stage.settle(waiting, 30_000);
  expect(error).toMatchObject({ class: 'unreachable' });
  expect(atMs).toBeLessThan(26_000);
});

test.each(['no JSON', '[]', '7', '{"claims":7}', `{"claims":"${'7'.repeat(70_000)}"}`])(
  'a checkpoint that cannot be read counts as none, and that is told (%#)',
  async (text) => {
    await keptUntil(1_000);
    await stage.settle(one.release(checkpoint), 2_000);
    const annotations = { 'longshore.dev/checkpoint': text };
    stage.edit((record) => ({ ...record, metadata: { ...record.metadata, annotations } }));
    const { value } = await stage.settle(other.acquire({ signal: never }), 3_000);
    expect(value).toEqual({ outcome: 'held', checkpoint: undefined });
    expect(stage.told).toContain('checkpoint cannot be read; listing everything');
  },
);
