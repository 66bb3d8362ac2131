import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { afterAll, expect, test } from '@jest/globals';
import { accessFromKubeconfig } from '../../lib/kubernetes/access/embedded-kubeconfig.ts';
import { deployedStack } from '../support/deployed-stack.ts';

const deployed = deployedStack();
const kubeconfig = accessFromKubeconfig(await readFile(deployed.kubeconfigPath, 'utf8'));

afterAll(() => {
  deployed.sqs.destroy();
  deployed.lambda.destroy();
});

/** Whether somebody answers there; a server that listens on all addresses would on each of the machine's own. */
function answers(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 2_000 });
    const end = (isThere: boolean) => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
    socket.once('timeout', () => end(false));
  });
}

test.each([
  ['API server', kubeconfig.server],
  ['AWS', deployed.settings.endpoint],
])('the local %s answers on the loopback address alone', async (_, address) => {
  const { hostname, port } = new URL(address);
  expect([hostname, await answers('127.0.0.1', Number(port))]).toEqual(['127.0.0.1', true]);
  expect(await answers('127.0.0.2', Number(port))).toBe(false);
});
