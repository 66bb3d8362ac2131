import { ApiException, CoreV1Api } from '@kubernetes/client-node';
import type { Claim } from '../../lib/kubernetes/objects.ts';
import { displayName } from '../../lib/kubernetes/resources.ts';
import { PatientKubeConfig } from '../../tools/local/patient-kubeconfig.ts';
import type { ClusterClient } from '../support/cluster-client.ts';
import { until } from '../support/patience.ts';
import { testKubeconfig } from './administrator.ts';

/** A policy by which the claims of one namespace cannot be made, or not be changed, once it is answered. */
export async function refusing(client: ClusterClient, like: Claim, operation: 'CREATE' | 'UPDATE') {
  const { namespace = '' } = like.metadata;
  const name = `refusing-${namespace}`;
  const apiVersion = 'admissionregistration.k8s.io/v1';
  const resourceRules = [
    { apiGroups: [''], apiVersions: ['v1'], resources: ['persistentvolumeclaims'], operations: [operation] },
  ];
  const matchConstraints = { resourceRules };
  const validations = [{ expression: 'false', message: 'no claims here' }];
  const namespaceSelector = { matchLabels: { 'kubernetes.io/metadata.name': namespace } };
  const objects = [
    { apiVersion, kind: 'ValidatingAdmissionPolicy', metadata: { name }, spec: { matchConstraints, validations } },
    {
      ...{ apiVersion, kind: 'ValidatingAdmissionPolicyBinding', metadata: { name } },
      spec: { policyName: name, validationActions: ['Deny'], matchResources: { namespaceSelector } },
    },
  ];
  for (const object of objects) await client.create(object);
  await untilRefused(like, operation, true);
  return {
    remove: async () => {
      for (const object of objects) await client.delete(object);
      await untilRefused(like, operation, false);
    },
  };
}

/** The server takes policies up, and forgets them, a moment after they are written: so it is tried out, in vain. */
async function untilRefused(like: Claim, operation: 'CREATE' | 'UPDATE', expected: boolean): Promise<void> {
  const isTakenUp = async () => (await isRefused(like, operation)) === expected;
  await until(`the policy for ${displayName(like.metadata)} is taken up`, isTakenUp, { pollMs: 100 });
}

async function isRefused({ apiVersion, kind, metadata, spec }: Claim, operation: string): Promise<boolean> {
  const config = PatientKubeConfig.fromFile(testKubeconfig());
  const api = config.makeApiClient(CoreV1Api);
  const { namespace = '', name } = metadata;
  const dryRun = 'All';
  try {
    if (operation === 'CREATE') {
      const body = { apiVersion, kind, metadata: { namespace, name: 'probe' }, spec } as object;
      await api.createNamespacedPersistentVolumeClaim({ namespace, dryRun, body });
    } else {
      const body = await api.readNamespacedPersistentVolumeClaim({ namespace, name });
      await api.replaceNamespacedPersistentVolumeClaim({ namespace, name, dryRun, body });
    }
    return false;
  } catch (error) {
    if (error instanceof ApiException && error.message.includes('no claims here')) return true;
    throw error;
  }
}
