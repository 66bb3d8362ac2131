import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import type { Claim, Volume } from '../../lib/kubernetes/objects.ts';
import { startControlPlane } from '../../tools/control-plane/control-plane.ts';
import { applyManifests, functionKubeconfig } from '../../tools/control-plane/manifests.ts';
import { ClusterClient, consent, makeTransfer, type Transfer, untilComplete } from '../support/cluster-client.ts';
import { HandlerProcess } from '../support/handler-process.ts';
import { runInProcess } from '../support/in-process.ts';
import { lengthOf } from '../support/soak.ts';
import { transferSteps as steps } from '../support/transfer-steps.ts';

const { transfers, minKills } = lengthOf({
  gate: { transfers: 5, minKills: 3 },
  soak: { transfers: 50, minKills: 15 },
});
/** Between two kills: whoever never gets beyond its start can do nothing, and its message becomes a dead letter. */
const minPauseMs = 50;
const maxPauseMs = 250;

/** Its own control plane: on a shared one the handlers of other tests would do the work of those that are killed. */
test(`${transfers} transfers complete although their handlers are killed again and again, and none loses its volume`, async () => {
  const controlPlane = await startControlPlane({});
  try {
    await applyManifests(controlPlane.kubeconfigPath);
    await moveWhileKilling(controlPlane.kubeconfigPath);
  } finally {
    await controlPlane.stop();
  }
});

async function moveWhileKilling(kubeconfigPath: string): Promise<void> {
  const client = new ClusterClient(kubeconfigPath);
  const kubeconfigs: Record<string, string> = {};
  for (const { name } of steps) kubeconfigs[name] = await functionKubeconfig(kubeconfigPath, name);
  const process = new HandlerProcess(kubeconfigs);
  const running = await runInProcess(kubeconfigPath, { handlers: process.handlers });
  const ended = new AbortController();
  const killing = killAtRandom(process, ended.signal);
  try {
    // Those that were quicker than the killer prove nothing.
    do await moveAll(client);
    while (process.kills < minKills);
  } finally {
    ended.abort();
    await killing;
    await running.stop();
    await process.stop();
  }
}

async function moveAll(client: ClusterClient): Promise<void> {
  const made = await Promise.all(Array.from({ length: transfers }, () => makeTransfer(client)));
  await Promise.all(made.map((transfer) => consent(client, transfer)));
  for (const transfer of made) await untilComplete(client, transfer);
  for (const transfer of made) await expectMoved(client, transfer);
}

async function killAtRandom(process: HandlerProcess, ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    await pause(minPauseMs + Math.random() * (maxPauseMs - minPauseMs));
    process.killIfWorking();
  }
}

async function expectMoved(client: ClusterClient, transfer: Transfer): Promise<void> {
  await client.untilGone(transfer.source);
  const volume = (await client.get(transfer.volume)) as Volume;
  const target = (await client.get<Claim>(transfer.target)) as Claim;
  expect(volume.spec.persistentVolumeReclaimPolicy).toBe('Delete');
  expect(volume.spec.claimRef?.uid).toBe(target.metadata.uid);
  expect(volume.status?.phase).toBe('Bound');
  expect(target.status?.phase).toBe('Bound');
}
