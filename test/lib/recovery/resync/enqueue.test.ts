import { expect, test } from '@jest/globals';
import { resources } from '../../../../lib/kubernetes/resources.ts';
import type { OutgoingMessage } from '../../../../lib/queue/message-parts.ts';
import { enqueue } from '../../../../lib/recovery/resync/enqueue.ts';
import type { ToSend } from '../../../../lib/recovery/resync/unfinished-object.ts';
import { Machine, Time } from '../../../support/simulated-time.ts';

function toSend(count: number, functionName = 'match-claim'): ToSend[] {
  return Array.from({ length: count }, (_, index) => ({
    function: functionName,
    resource: resources.claim,
    key: { namespace: 'prod', name: `claim-${index}` },
    cause: { uid: `uid-${index}`, resourceVersion: '1', type: 'update' as const },
  }));
}

interface Sending {
  rate?: number;
  /** What a queue does: it takes what it is given, unless something else is said. */
  answer?: (functionName: string, messages: OutgoingMessage[], atMs: number) => number[] | Error;
  stopAtMs?: number;
}

/** Sends all of it under a clock of its own, and answers what was sent when. */
async function send(all: ToSend[], { rate = 50, answer = () => [], stopAtMs }: Sending = {}) {
  const time = new Time();
  const { clock } = new Machine(time, { wallOffsetMs: 0, upMs: 0 });
  const stop = new AbortController();
  if (stopAtMs !== undefined) time.at(stopAtMs, () => stop.abort());
  const tried: number[] = [];
  const taken: { name: string; runid: string; atMs: number; id: string }[] = [];
  const sending = enqueue(all, {
    cluster: 'main',
    runId: 'run-1',
    ratePerSecond: rate,
    send: async (name, messages) => {
      tried.push(clock.elapsedMs());
      const refused = answer(name, messages, clock.elapsedMs());
      if (refused instanceof Error) throw refused;
      return refused;
    },
    clock,
    signal: stop.signal,
    onSent: ({ body, function: name, deduplicationId }) => {
      taken.push({
        ...(JSON.parse(body) as { name: string; runid: string }),
        atMs: clock.elapsedMs(),
        id: `${name} ${deduplicationId}`,
      });
    },
  });
  await time.runUntil(600_000);
  return { results: await sending, taken, tried };
}

test('a thousand messages take twenty seconds at fifty a second, and no second has more', async () => {
  const { results, taken } = await send([...toSend(600), ...toSend(400, 'check-source')]);
  const perSecond = Map.groupBy(taken, ({ atMs }) => Math.floor(atMs / 1_000));
  expect([...perSecond.values()].map((each) => each.length)).toEqual(Array(20).fill(50));
  expect(results.map(({ function: name, messages, sent }) => [name, messages, sent])).toEqual([
    ['match-claim', 600, 600],
    ['check-source', 400, 400],
  ]);
  expect(new Set(taken.map(({ id }) => id)).size).toBe(1_000);
});

test('each message says by which run it came', async () => {
  const { taken } = await send(toSend(3));
  expect(taken.map(({ name, runid }) => [name, runid])).toEqual([0, 1, 2].map((each) => [`claim-${each}`, 'run-1']));
});

test('a queue that is away is asked again with growing pauses, and gets everything when it is back', async () => {
  const answer: Sending['answer'] = (_, __, atMs) => (atMs < 10_000 ? new Error('no route to host') : []);
  const { results, tried, taken } = await send(toSend(20), { answer });
  expect(tried.slice(0, 5).map((atMs) => Math.round(atMs / 500) * 500)).toEqual([0, 500, 1_500, 3_500, 7_500]);
  expect([results, taken.length]).toEqual([
    [{ function: 'match-claim', kind: 'PersistentVolumeClaim', messages: 20, sent: 20 }],
    20,
  ]);
});

test('one that stays away is told, and holds up no other', async () => {
  const answer: Sending['answer'] = (name) => (name === 'match-claim' ? new Error('no route to host') : []);
  const { results, taken } = await send([...toSend(20), ...toSend(20, 'check-source')], { answer });
  expect(results).toEqual([
    { function: 'match-claim', kind: 'PersistentVolumeClaim', messages: 20, sent: 0, problem: 'no route to host' },
    { function: 'check-source', kind: 'PersistentVolumeClaim', messages: 20, sent: 20 },
  ]);
  expect(Math.max(...taken.map(({ atMs }) => atMs))).toBeLessThan(2_000);
});

test('a message that is refused for ever is told, and keeps none of the others from being sent', async () => {
  const answer: Sending['answer'] = (_, messages) =>
    messages.flatMap(({ body }, position) => (body.includes('"claim-3"') ? [position] : []));
  const { results, taken } = await send(toSend(30), { answer });
  expect(results).toMatchObject([{ messages: 30, sent: 29, problem: 'its queue refuses messages' }]);
  expect(taken.map(({ name }) => name)).not.toContain('claim-3');
});

test('a message that is refused once comes again', async () => {
  let refusals = 0;
  const { results } = await send(toSend(4), {
    answer: () => {
      refusals += 1;
      return refusals === 1 ? [0, 1] : [];
    },
  });
  expect(results).toEqual([{ function: 'match-claim', kind: 'PersistentVolumeClaim', messages: 4, sent: 4 }]);
});

test('what there is no time for is counted, and is no problem of its queue', async () => {
  const { results, taken } = await send(toSend(500), { stopAtMs: 2_050 });
  expect(results).toEqual([
    { function: 'match-claim', kind: 'PersistentVolumeClaim', messages: 500, sent: taken.length },
  ]);
  expect(taken.length).toBe(105);
});
