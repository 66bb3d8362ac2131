import { expect, test } from '@jest/globals';
import type { Api } from '../../../lib/kubernetes/api.ts';
import type { Clusters } from '../../../lib/kubernetes/clusters.ts';
import { currentApi } from '../../../lib/kubernetes/current-api.ts';
import { ClusterError, isClusterError } from '../../../lib/kubernetes/errors.ts';

const call = { method: 'GET', path: '/' } as const;

/** Connects anew when it is told to forget. */
function clustersOf(status: () => number, connect: () => void = () => {}) {
  let connections = 0;
  let isOpen = false;
  const connection = {
    send: async () => ({ status: status(), body: String(connections) }),
    sendForBytes: async () => ({ status: status(), body: Buffer.from('') }),
    open: async () => ({ statusCode: status() }),
  } as unknown as Api;
  const clusters = {
    get: async () => {
      connect();
      if (!isOpen) connections += 1;
      isOpen = true;
      return { connection };
    },
    forget: () => {
      isOpen = false;
    },
  };
  return currentApi(clusters as unknown as Clusters, 'main');
}

test('all calls share the connection that there is', async () => {
  const api = clustersOf(() => 200);
  expect([(await api.send(call)).body, (await api.send(call)).body]).toEqual(['1', '1']);
});

test.each<keyof Api>(['send', 'sendForBytes', 'open'])(
  'credentials that %s finds refused are not used again',
  async (how) => {
    let status = 401;
    const api = clustersOf(() => status);
    await api[how](call);
    status = 200;
    expect((await api.send(call)).body).toBe('2');
  },
);

test('without credentials the cluster is unreachable for now, in the words of whoever has none', async () => {
  const api = clustersOf(
    () => 200,
    () => {
      throw new Error('log in first');
    },
  );
  const failure = await api.send(call).catch((error) => error);
  expect(isClusterError(failure, 'unreachable')).toBe(true);
  expect(String(failure)).toContain('cluster main cannot be accessed: log in first');
});

test('what the server says stays what it is', async () => {
  const denied = new ClusterError('denied', 'no');
  const api = clustersOf(() => {
    throw denied;
  });
  expect(await api.send(call).catch((error) => error)).toBe(denied);
});
