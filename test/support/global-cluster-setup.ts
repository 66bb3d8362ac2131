import { type ControlPlane, startControlPlane } from '../../tools/control-plane/control-plane.ts';
import { applyManifests } from '../../tools/control-plane/manifests.ts';

declare global {
  var longshoreTestControlPlane: ControlPlane | undefined;
}

/** One control plane for all files of the project: their objects are in namespaces of their own. */
export default async function setUp(): Promise<void> {
  const controlPlane = await startControlPlane({ auditLog: true, progress: (line) => console.log(line) });
  globalThis.longshoreTestControlPlane = controlPlane;
  try {
    await applyManifests(controlPlane.kubeconfigPath, (line) => console.log(line));
  } catch (error) {
    // What fails to set up is not torn down by jest.
    await controlPlane.stop();
    throw error;
  }
  process.env.LONGSHORE_TEST_KUBECONFIG = controlPlane.kubeconfigPath;
  // A cluster that was given has no log that can be read here.
  if (controlPlane.auditLogPath) process.env.LONGSHORE_TEST_AUDIT_LOG = controlPlane.auditLogPath;
}
