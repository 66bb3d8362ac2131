import { expect, test } from '@jest/globals';
import { ClusterApi } from '../../../cli/connect/cluster-api.ts';
import { Interrupted } from '../../../cli/interrupted.ts';
import type { Api, Call, RawAnswer } from '../../../lib/kubernetes/api.ts';
import { ClusterError } from '../../../lib/kubernetes/errors.ts';

/** As an API server answers that has just been given the kind. */
const busy = { kind: 'Status', reason: 'TooManyRequests', message: 'storage is (re)initializing', code: 429 };
const answer = (status: number, body: object): RawAnswer => ({ status, body: Buffer.from(JSON.stringify(body)) });

function apiThatIsBusy(times: number) {
  const asked: string[] = [];
  const pauses: number[] = [];
  const server = {
    sendForBytes: async ({ method, path }: { method: string; path: string }) => {
      asked.push(`${method} ${path}`);
      return asked.length <= times ? answer(429, busy) : answer(200, { items: [] });
    },
  } as unknown as Api;
  const pause = async (milliseconds: number) => void pauses.push(milliseconds);
  return { api: new ClusterApi(server, { manager: 'test', pause }), asked, pauses };
}

test('a server that says to come again is asked again, for reads and for writes', async () => {
  const reading = apiThatIsBusy(2);
  expect(await reading.api.list('/api/v1/pods')).toEqual([]);
  expect([reading.asked.length, reading.pauses]).toEqual([3, [1_000, 1_000]]);
  const writing = apiThatIsBusy(1);
  await writing.api.create('/api/v1/namespaces', { kind: 'Namespace' });
  expect(writing.asked).toEqual(Array(2).fill('POST /api/v1/namespaces?fieldManager=test'));
});

test('Ctrl-C ends the waiting, and what is stopped reads no more', async () => {
  const stop = new AbortController();
  let asked = 0;
  const server = {
    sendForBytes: async () => {
      asked += 1;
      setImmediate(() => stop.abort());
      return answer(429, busy);
    },
  } as unknown as Api;
  const api = new ClusterApi(server, { stopped: stop.signal });
  const began = performance.now();
  await expect(api.create('/api/v1/namespaces', {})).rejects.toThrow(Interrupted);
  await expect(api.get('/api/v1/pods')).rejects.toThrow(Interrupted);
  expect([asked, performance.now() - began < 900]).toEqual([1, true]);
});

test('a read that is under way is broken off, and a write is not', async () => {
  const stop = new AbortController();
  const signals: (AbortSignal | undefined)[] = [];
  const server = {
    sendForBytes: async (_: Call, signal?: AbortSignal) => {
      signals.push(signal);
      stop.abort();
      if (signal) throw new ClusterError('unreachable', 'aborted');
      return answer(200, { metadata: { name: 'a' } });
    },
  } as unknown as Api;
  const api = new ClusterApi(server, { stopped: stop.signal });
  await expect(api.get('/api/v1/pods')).rejects.toThrow(Interrupted);
  expect(await api.create('/api/v1/namespaces', {})).toEqual({ metadata: { name: 'a' } });
  expect(signals).toEqual([stop.signal, undefined]);
});

test('one that stays busy is not asked for ever, and what it says is told', async () => {
  const { api, asked } = apiThatIsBusy(Number.POSITIVE_INFINITY);
  await expect(api.get('/api/v1/pods')).rejects.toThrow('storage is (re)initializing');
  expect(asked).toHaveLength(10);
});
