import { expect, test } from '@jest/globals';
import { FanOut } from '../../../lib/forwarder/fan-out.ts';
import { runSlowLane } from '../../../lib/forwarder/slow-lane.ts';
import { UnfinishedObjects } from '../../../lib/forwarder/unfinished-objects.ts';
import { resources } from '../../../lib/kubernetes/resources.ts';
import type { MessageParts } from '../../../lib/queue/message-parts.ts';
import { Outbox } from '../../../lib/queue/outbox.ts';
import { named } from './scripted-api.ts';

const fanOut = new FanOut();

/** Seconds pass as soon as somebody waits for them, and the test is over after some. */
function secondsPass(seconds: number, over: AbortController) {
  let nowMs = 0;
  return {
    now: () => new Date(nowMs),
    elapsedMs: () => nowMs,
    pause: async (milliseconds: number) => {
      await new Promise((resolve) => setImmediate(resolve));
      nowMs += milliseconds;
      if (nowMs >= seconds * 1_000) over.abort();
    },
  };
}

async function toldIn(seconds: number, count: number, busy: readonly string[] = []) {
  const over = new AbortController();
  const clock = secondsPass(seconds, over);
  const sent: { name: string; atMs: number; runId: string | undefined }[] = [];
  const outbox = new Outbox({
    send: async (name, messages) => {
      if (busy.includes(name)) return new Promise(() => {});
      for (const { body } of messages) {
        const { name: object, runid } = JSON.parse(body) as { name: string; runid?: string };
        sent.push({ name: object, atMs: clock.elapsedMs(), runId: runid });
      }
      return [];
    },
    clock: { elapsedMs: clock.elapsedMs, pause: async () => {} },
    onFailure: () => {},
  });
  const unfinished = new UnfinishedObjects();
  for (let index = 0; index < count; index += 1) note(unfinished, `thing-${index}`, 'match-claim');
  for (const name of busy) {
    note(unfinished, `for-${name}`, name);
    for (let index = 0; index < 1_000; index += 1) outbox.add(partsOf(`busy-${index}`, name));
  }
  let runs = 0;
  const newRunId = () => {
    runs += 1;
    return `run-${runs}`;
  };
  await runSlowLane({ cluster: 'main', unfinished, fanOut, outbox, clock, newRunId }, over.signal);
  return sent;
}

test('a namespace of which very much waits already is not told again, and the others are', async () => {
  const over = new AbortController();
  const clock = secondsPass(5, over);
  const sent: string[] = [];
  const outbox = new Outbox({
    send: async (_, messages) => {
      for (const { body } of messages) sent.push((JSON.parse(body) as { namespace: string }).namespace);
      return [];
    },
    // The queue is full, and stays so.
    depthOf: async () => 100,
    clock: { elapsedMs: clock.elapsedMs, pause: async () => new Promise((resolve) => setImmediate(resolve)) },
    onFailure: () => {},
  });
  const inNoisy = (name: string) => ({ ...partsOf(name, 'match-claim'), key: { namespace: 'noisy', name } });
  for (let index = 0; index < 2_000; index += 1) outbox.add(inNoisy(`live-${index}`));
  const unfinished = new UnfinishedObjects();
  for (let index = 0; index < 50; index += 1) note(unfinished, `again-${index}`, 'match-claim', 'noisy');
  note(unfinished, 'thing', 'match-claim');
  await runSlowLane({ cluster: 'main', unfinished, fanOut, outbox, clock, newRunId: () => 'run' }, over.signal);
  expect(sent).toContain('prod');
  expect(outbox.isToSend(inNoisy('again-0'))).toBe(false);
});

function note(unfinished: UnfinishedObjects, name: string, functionName: string, namespace = 'prod'): void {
  const change = { type: 'listed' as const, resource: resources.claim, object: named(name, '1'), seenAt: new Date(0) };
  const routes = [{ function: functionName, resource: resources.claim, key: { namespace, name } }];
  unfinished.note(change, { cause: partsOf(name, functionName).cause, owner: undefined, routes }, 0, 'unknown');
}

function partsOf(name: string, functionName: string): MessageParts {
  const cause = { uid: name, resourceVersion: '1', type: 'update' as const };
  const key = { namespace: 'prod', name };
  return { cluster: 'main', function: functionName, resource: resources.claim, key, cause, time: new Date(0) };
}

test('what is unfinished is told at once, and again each minute, each time in the name of another run', async () => {
  const sent = await toldIn(125, 1);
  expect(sent.map(({ atMs }) => Math.floor(atMs / 60_000))).toEqual([0, 1, 2]);
  expect(new Set(sent.map(({ runId }) => runId)).size).toBe(3);
});

test('much that is unfinished is told little by little: some thousands in a minute, and all of it in ten', async () => {
  const sent = await toldIn(59, 500);
  expect(Math.max(...perSecond(sent))).toBeLessThanOrEqual(100);
  expect(new Set(sent.map(({ name }) => name)).size).toBe(500);
  const some = await toldIn(61, 6_000);
  expect(new Set(some.map(({ name }) => name)).size).toBe(6_000);
  const many = await toldIn(61, 12_000);
  expect(new Set(many.map(({ name }) => name)).size).toBe(6_100);
  const all = await toldIn(602, 66_000);
  expect(new Set(all.map(({ name }) => name)).size).toBe(66_000);
});

test('a queue for which much waits is told nothing more, and no other one waits for that', async () => {
  const sent = await toldIn(5, 3, ['check-source']);
  expect(sent.map(({ name }) => name)).toEqual(['thing-0', 'thing-1', 'thing-2']);
});

function perSecond(sent: { atMs: number }[]): number[] {
  const counts = new Map<number, number>();
  for (const { atMs } of sent) counts.set(Math.floor(atMs / 1_000), (counts.get(Math.floor(atMs / 1_000)) ?? 0) + 1);
  return [...counts.values()];
}
