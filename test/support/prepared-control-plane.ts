import { rename } from 'node:fs/promises';
import { startControlPlane } from '../../tools/control-plane/control-plane.ts';
import type { ControlPlane, ControlPlaneOptions } from '../../tools/control-plane/control-plane-options.ts';
import { withoutReserve } from '../../tools/control-plane/copy.ts';
import { applyManifests, untilAdmissionActive } from '../../tools/control-plane/manifests.ts';
import { applySnapshotDefinitions } from '../../tools/csi-stand-in/definitions.ts';
import { startWebhook } from './webhook.ts';

/** A control plane in which everything in manifests is in force. */
export interface PreparedControlPlane {
  plane: ControlPlane;
  /** A copy of its data for others to begin with, if they can. It is gone with this one. */
  data?: string;
  stop(): Promise<void>;
}

/** What is defined before the manifests are applied: the populators among these need a kind that not all clusters have. */
export type Prepared = 'plain' | 'snapshots';

export interface PreparedOptions extends ControlPlaneOptions {
  with?: Prepared;
}

/**
 * Beginning with the data of one in which the manifests have been applied takes half of the time: an API server has much
 * to do for definitions and policies that come while it runs.
 */
export async function startPrepared(options: PreparedOptions = {}): Promise<PreparedControlPlane> {
  const plane = await startControlPlane(options);
  // A cluster that was given has data of its own.
  const isThere = options.data !== undefined && plane.managed;
  const prepare = () => (isThere ? untilAdmissionActive(plane.kubeconfigPath) : applyAll(plane, options));
  return withWebhook(plane, prepare);
}

/** The data of another one, with the kinds of snapshots and what needs them, at this path. */
export async function addSnapshots(data: string, path: string): Promise<string> {
  const plane = await startControlPlane({ data });
  try {
    await applyAll(plane, { with: 'snapshots' });
    await rename(await withoutReserve(await plane.backUp()), path);
    return path;
  } finally {
    await plane.stop();
  }
}

async function applyAll({ kubeconfigPath }: ControlPlane, options: PreparedOptions): Promise<void> {
  if (options.with === 'snapshots') await applySnapshotDefinitions(kubeconfigPath, options.progress);
  await applyManifests(kubeconfigPath, options.progress);
}

/** The first one, whose data is copied as soon as the manifests have been applied. */
export async function startFirst(options: ControlPlaneOptions): Promise<PreparedControlPlane> {
  const plane = await startControlPlane(options);
  let data: string | undefined;
  const prepare = async () => {
    await applyManifests(plane.kubeconfigPath, options.progress);
    if (plane.managed) data = await withoutReserve(await plane.backUp());
  };
  const prepared = await withWebhook(plane, prepare);
  return { ...prepared, ...(data ? { data } : {}) };
}

/** The webhook takes the place of the policies that are lacking, if that is what is to be tested. */
async function withWebhook(plane: ControlPlane, prepare: () => Promise<void>): Promise<PreparedControlPlane> {
  try {
    await prepare();
    const isAsked = process.env.LONGSHORE_TEST_ADMISSION === 'webhook';
    const webhook = isAsked ? await startWebhook(plane.kubeconfigPath) : undefined;
    const stop = async () => {
      await plane.stop();
      await webhook?.stop();
    };
    return { plane, stop };
  } catch (error) {
    await plane.stop();
    throw error;
  }
}
