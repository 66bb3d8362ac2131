import { findBinaries } from '../../tools/control-plane/binaries.ts';
import { startControlPlane } from '../../tools/control-plane/control-plane.ts';
import type { ControlPlane } from '../../tools/control-plane/control-plane-options.ts';
import { type Lending, type LentControlPlane, lend, lendings } from './lending.ts';
import { applyAll, type Webhook } from './webhook.ts';

declare global {
  var longshoreTestControlPlanes:
    | { lending: Lending; started: Promise<ControlPlane>[]; webhooks: Promise<Webhook>[] }
    | undefined;
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
  const webhooks: Promise<Webhook>[] = [];
  const lending = await lend(lendings.controlPlanes, async () => {
    const starting = startControlPlane({ auditLog: true });
    started.push(starting);
    const { kubeconfigPath, auditLogPath } = await starting;
    const applying = applyAll(kubeconfigPath, progress);
    webhooks.push(applying);
    await applying;
    // A cluster that was given has no log that can be read here.
    return { kubeconfigPath, ...(auditLogPath ? { auditLogPath } : {}) } satisfies LentControlPlane;
  });
  globalThis.longshoreTestControlPlanes = { lending, started, webhooks };
}
