import type { Claim } from '../../lib/kubernetes/objects.ts';
import type { ClusterClient } from '../support/cluster-client.ts';
import { writer as writerOf } from './case-snapshot-claims.ts';
import { until } from './case-snapshot-waits.ts';

/** Writes claims, also as a try only. */
export function writer(kubeconfig: string) {
  const { create } = writerOf(kubeconfig);
  return { create: (claim: Claim, dryRun?: 'All') => create(claim as Parameters<typeof create>[0], dryRun) };
}

/** The server forgets a policy a moment after its binding is deleted, which a look tells. */
export async function withoutPolicy(
  client: ClusterClient,
  type: 'Mutating' | 'Validating',
  policy: string,
  isForgotten: () => Promise<boolean>,
): Promise<void> {
  const apiVersion = 'admissionregistration.k8s.io/v1';
  const metadata = { name: `longshore-${policy}` };
  await client.delete({ apiVersion, kind: `${type}AdmissionPolicyBinding`, metadata });
  await until('the policy is forgotten', async () => ((await isForgotten()) ? [] : [policy]));
}
