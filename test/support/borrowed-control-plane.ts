import { borrow, type LentControlPlane, lendings } from './lending.ts';

/** Before each file of the project `cluster`: its worker's control plane has started. */
const { kubeconfigPath, auditLogPath } = await borrow<LentControlPlane>(lendings.controlPlanes);
process.env.LONGSHORE_TEST_KUBECONFIG = kubeconfigPath;
if (auditLogPath) process.env.LONGSHORE_TEST_AUDIT_LOG = auditLogPath;
