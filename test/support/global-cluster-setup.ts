import { findBinaries } from '../../tools/control-plane/binaries.ts';
import { startControlPlane } from '../../tools/control-plane/control-plane.ts';
import type { ControlPlane } from '../../tools/control-plane/control-plane-options.ts';
import { applyManifests } from '../../tools/control-plane/manifests.ts';
import { type Lending, type LentControlPlane, lend, lendings } from './lending.ts';

declare global {
  var longshoreTestControlPlanes: { lending: Lending; started: Promise<ControlPlane>[] } | undefined;
}

/**
 * Each of jest's workers gets a control plane of its own, as soon as the first file that it runs asks for one: a file has
 * the whole cluster while it runs. Those of one worker share it, with their objects in namespaces of their own.
 */
export default async function setUp(): Promise<void> {
  const progress = (line: string) => console.log(line);
  // A first run builds them, which takes longer than any test.
  if (!process.env.LONGSHORE_KUBECONFIG) await findBinaries({ progress });
  const started: Promise<ControlPlane>[] = [];
  const lending = await lend(lendings.controlPlanes, async () => {
    const starting = startControlPlane({ auditLog: true });
    started.push(starting);
    const { kubeconfigPath, auditLogPath } = await starting;
    await applyManifests(kubeconfigPath, progress);
    // A cluster that was given has no log that can be read here.
    return { kubeconfigPath, ...(auditLogPath ? { auditLogPath } : {}) } satisfies LentControlPlane;
  });
  globalThis.longshoreTestControlPlanes = { lending, started };
}
