import { expect, test } from '@jest/globals';
import { accessFromKubeconfig } from '../../../lib/kubernetes/access/embedded-kubeconfig.ts';
import { kubeconfigOf } from '../../../tools/control-plane/kubeconfig.ts';

test('the kubeconfig that is written is one that the functions read', async () => {
  const access = accessFromKubeconfig(
    kubeconfigOf({ server: 'https://127.0.0.1:1', certificateAuthority: 'PEM', token: 'secret' }),
  );
  expect(access).toMatchObject({ server: 'https://127.0.0.1:1', certificateAuthority: 'PEM' });
  expect(await access.token?.()).toBe('secret');
});
