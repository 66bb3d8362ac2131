import { expect, test } from '@jest/globals';
import { clearProbe } from '../../../lib/install/probes.ts';
import { MemoryApi } from './memory-api.ts';

const name = 'longshore-install-probe';
const path = `/api/v1/namespaces/longshore-system/persistentvolumeclaims/${name}`;

test.each([
  ['the claim that an earlier run has left is deleted', name, false],
  ['the claim of somebody else is not', 'pvc-1', true],
  ['nor is one that has no volume yet', undefined, true],
])('%s', async (_, volumeName, stays) => {
  const api = new MemoryApi();
  const metadata = { name, namespace: 'longshore-system' };
  api.changeAs('somebody', path, { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata, spec: { volumeName } });
  await clearProbe(api);
  expect(api.objects.has(path)).toBe(stays);
});
