import { expect, test } from '@jest/globals';
import { ElectedForwarder } from '../../../lib/forwarder/elected-forwarder.ts';
import type { Api } from '../../../lib/kubernetes/api.ts';
import { realClock } from '../../../lib/runtime/clock.ts';
import { hurriedClock } from '../../support/hurried-clock.ts';
import { until } from '../../support/patience.ts';
import { ScriptedApi } from './scripted-api.ts';

const log = { info: () => {}, error: () => {}, measure: () => {} };
const page = () => ({ version: '1' });
const api = new ScriptedApi({ current: page, page, watch: () => ({ events: [], end: 'hanging' }) });

test.each(['', 'Longshore-Production', 'longshore/production'])(
  '%j cannot name a lease, and what can is said',
  async (identity) => {
    const lead = new ElectedForwarder({
      cluster: 'main',
      identity,
      api,
      send: async () => [],
      log,
      clock: hurriedClock,
    });
    const running = lead.run({ signal: new AbortController().signal });
    await expect(running).rejects.toThrow('LONGSHORE_IDENTITY must be lower-case letters, digits, "-" and "."');
  },
);

test.each([
  ['goes on from the checkpoint of the last holder', false, { configmaps: '5' }],
  ['begins anew where the queues of the last holder ended with it', true, {}],
])('a term %s', async (_, areQueuesInMemory, checkpoint) => {
  const ended = new AbortController();
  const lead = new ElectedForwarder({
    cluster: 'main',
    identity: 'test',
    api: leasedApi({ 'longshore.dev/checkpoint': '{"configmaps":"5"}' }),
    resources: [{ apiVersion: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true }],
    send: async () => [],
    log,
    clock: realClock,
    areQueuesInMemory,
  });
  const running = lead.run({ signal: ended.signal });
  await until('it leads', () => lead.term !== undefined);
  // Nothing is ever listed here, so it is as it was in the beginning.
  expect(lead.term?.forwarder.checkpoint).toEqual(checkpoint);
  ended.abort();
  expect(await running).toBe('led');
});

/** A server that lists nothing, and has a lease that nobody holds. */
function leasedApi(annotations: Record<string, string>): Api {
  const never = new ScriptedApi({ current: page, page, watch: () => ({ events: [], end: 'hanging' }) });
  let version = 1;
  let stored: object = {
    metadata: { name: 'forward.test', namespace: 'longshore-system', uid: 'u', annotations },
    spec: { holderIdentity: '' },
  };
  return {
    send: async ({ path, body = stored, ...call }) => {
      if (!path.includes('/leases/')) return never.send({ ...call, path });
      version += 1;
      const { metadata } = body as { metadata: object };
      stored = { ...body, metadata: { ...metadata, resourceVersion: String(version) } };
      return { status: 200, body: JSON.stringify(stored) };
    },
    sendForBytes: (call) => never.sendForBytes(call),
    open: (...given) => never.open(...given),
  };
}
