import { describe, expect, test } from '@jest/globals';
import { readSettings } from '../../../lib/capabilities/settings.ts';
import type { ConfigMap } from '../../../lib/kubernetes/objects.ts';
import { configMap } from '../../support/builders.ts';
import { clusterOf } from './cluster-of.ts';

const on = { isOn: true };
const read = (...objects: ConfigMap[]) => readSettings(clusterOf(...objects));

describe('everything is on but what lets users round a quota', () => {
  test.each<[string, ConfigMap[]]>([
    ['without the ConfigMap', []],
    ['with one that says nothing', [configMap()]],
    ['with one that says other things', [configMap({ other: 'off' })]],
    ['with one that says so', [configMap({ 'transfers-by-request': 'on', 'transfers-by-annotation': 'on' })]],
    [
      'with one of that name in another namespace',
      [{ ...configMap({ 'transfers-by-request': 'off' }), metadata: { namespace: 'default', name: 'longshore' } }],
    ],
  ])('%s', async (_, objects) => {
    const all = { transfersByRequest: on, transfersByAnnotation: on, buckets: on, snapshots: on, dataPopulated: on };
    const off = expect.objectContaining({ isOn: false });
    expect(await read(...objects)).toEqual({ ...all, smallerRequests: off });
  });
});

test('each is switched off by itself, and the reason names the place where it is', async () => {
  const { transfersByRequest, transfersByAnnotation } = await read(configMap({ 'transfers-by-request': 'off' }));
  expect(transfersByAnnotation).toEqual(on);
  expect(transfersByRequest).toEqual({
    isOn: false,
    reason:
      'transfers-by-request is off in ConfigMap longshore-system/longshore: an administrator of the cluster can turn it on',
  });
  const other = await read(configMap({ 'transfers-by-annotation': 'off' }));
  expect([other.transfersByRequest.isOn, other.transfersByAnnotation.isOn]).toEqual([true, false]);
});

test.each(['On', 'true', 'no', '', ' off'])(
  'what is neither on nor off is off until somebody says it better: %p',
  async (value) => {
    const { transfersByAnnotation } = await read(configMap({ 'transfers-by-annotation': value }));
    const said = `transfers-by-annotation is ${JSON.stringify(value)} in ConfigMap longshore-system/longshore, but must be on or off`;
    expect(transfersByAnnotation).toEqual({ isOn: false, reason: expect.stringContaining(said) });
  },
);

test('a claim may ask for less than the volume that it accepts where an administrator says so', async () => {
  const { smallerRequests } = await read(configMap({ 'accept-with-smaller-requests': 'on' }));
  expect(smallerRequests).toEqual(on);
});

test('one object is read, and by its name', async () => {
  const cluster = clusterOf();
  await readSettings(cluster);
  expect(cluster.asked).toEqual(['/api/v1/namespaces/longshore-system/configmaps/longshore']);
});

test('settings that cannot be read are no settings: nothing goes on as if all were on', async () => {
  const cluster = { ...clusterOf(), get: () => Promise.reject(new Error('no answer')) };
  await expect(readSettings(cluster)).rejects.toThrow('no answer');
});
