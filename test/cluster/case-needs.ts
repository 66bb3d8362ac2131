import { describe, test } from '@jest/globals';
import { VersionApi } from '@kubernetes/client-node';
import type { Claim } from '../../lib/kubernetes/objects.ts';
import { changesClaims, unservedOf } from '../../tools/control-plane/manifests.ts';
import { PatientKubeConfig } from '../../tools/local/patient-kubeconfig.ts';
import { testKubeconfig } from './administrator.ts';

/** What not every server has that Longshore works with, and what a test says that needs it. */

const mutatingPolicy = { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'MutatingAdmissionPolicy' };
const attributesClass = { apiVersion: 'storage.k8s.io/v1', kind: 'VolumeAttributesClass' };
const unserved = await unservedOf(testKubeconfig(), [mutatingPolicy, attributesClass]);
const { gitVersion } = await PatientKubeConfig.fromFile(testKubeconfig()).makeApiClient(VersionApi).getCode();

/** Whether claims are changed as they are created: by the policies, or by the webhook in their place. */
export const areChanged = await changesClaims(testKubeconfig());

export const isServed = !unserved.includes(mutatingPolicy);

const abilities = {
  MutatingAdmissionPolicy: {
    isThere: isServed,
    lacking: 'does not serve MutatingAdmissionPolicy',
  },
  'mutating admission': {
    isThere: areChanged,
    lacking: 'neither serves MutatingAdmissionPolicy nor has the webhook',
  },
  'unchanged claims': {
    isThere: isServed || !areChanged,
    lacking: 'has the webhook, which no test takes away',
  },
  VolumeAttributesClass: {
    isThere: !unserved.includes(attributesClass),
    lacking: `does not serve VolumeAttributesClass in ${attributesClass.apiVersion}`,
  },
};

/** What is to be used in the place of jest's, and is skipped with the reason where the server does not have this. */
export function needs(ability: keyof typeof abilities) {
  const { isThere, lacking } = abilities[ability];
  if (isThere) return { describe, test };
  console.warn(`skipped tests that need ${ability}: Kubernetes ${gitVersion} ${lacking}`);
  return { describe: describe.skip, test: test.skip };
}

/** A claim with a selector that no volume matches, as its user writes it where the server does not add it. */
export function guarded(claim: Claim): Claim {
  const selector = { matchLabels: { 'longshore.dev/volume': 'populated' } };
  return { ...claim, spec: { ...claim.spec, ...{ selector } } };
}
