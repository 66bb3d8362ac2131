import type { Choices } from './choices.ts';
import type { Server } from './server.ts';

/** What a server may lack, and what does not work without it. */
export interface Feature {
  name: string;
  state: 'served' | 'installed' | 'the webhook' | 'not served';
  /** For one that is not served: what is lost, and what to do or to write instead. */
  without: string;
}

const admission = 'admissionregistration.k8s.io/v1';
const grantVersions = ['v1', 'v1beta1', 'v1alpha2'].map((version) => `gateway.networking.k8s.io/${version}`);

interface Known {
  name: string;
  kinds: readonly { apiVersion: string; kind: string }[];
  isNeeded(choices: Choices): boolean;
  without: string;
}

const needsTransfers = ({ capabilities }: Choices) => capabilities.includes('transfers');
const needsData = ({ capabilities }: Choices) => capabilities.includes('data-sources');
const needsPolicies = (choices: Choices) => needsTransfers(choices) || needsData(choices);

const features: readonly Known[] = [
  {
    name: 'ValidatingAdmissionPolicy',
    kinds: [{ apiVersion: admission, kind: 'ValidatingAdmissionPolicy' }],
    isNeeded: needsPolicies,
    without:
      'nothing rejects claims that would lose data, and anyone who may change a claim can forge marks. Set transfers-by-annotation to "off" in ConfigMap longshore-system/longshore, or upgrade to Kubernetes 1.30',
  },
  {
    name: 'MutatingAdmissionPolicy',
    kinds: [{ apiVersion: admission, kind: 'MutatingAdmissionPolicy' }],
    isNeeded: needsPolicies,
    without: `users must write by hand what the policies would write. An accepting claim: spec.dataSourceRef {apiGroup: longshore.dev, kind: Transfer, name: accepted} and spec.selector {matchLabels: {longshore.dev/volume: transferred}}. A claim from a snapshot of another namespace: spec.dataSourceRef {apiGroup: longshore.dev, kind: VolumeSnapshotReference, name: <namespace>.<snapshot>} and spec.selector {matchLabels: {longshore.dev/volume: populated}}. Other claims are rejected with these words. Or run the webhook, and install with --admission-url or --admission-service (docs/kubernetes-versions.md). Kubernetes serves the kind from 1.36 on`,
  },
  {
    name: 'VolumeSnapshot',
    kinds: [{ apiVersion: 'snapshot.storage.k8s.io/v1', kind: 'VolumeSnapshot' }],
    isNeeded: needsData,
    without:
      'no claim can be filled from a snapshot. Install the CRDs and the controller of kubernetes-csi/external-snapshotter; Longshore finds them by itself',
  },
  {
    name: 'VolumePopulator',
    kinds: [{ apiVersion: 'populator.storage.k8s.io/v1beta1', kind: 'VolumePopulator' }],
    isNeeded: needsPolicies,
    without:
      'the condition DataPopulated cannot tell whether anything fills a claim with a data source of another kind (PopulatorsUnknown); nothing else is lost. The kind comes with the volume data source validator: run install again if you add it',
  },
  {
    name: 'ReferenceGrant',
    kinds: grantVersions.map((apiVersion) => ({ apiVersion, kind: 'ReferenceGrant' })),
    isNeeded: needsPolicies,
    without:
      'nobody can let others use a snapshot, and transfers need an approval instead of a grant. Use --reference-grants, or install the CRDs of the Gateway API',
  },
];

/** The versions of groups that must be asked for. */
export const featureVersions: readonly string[] = features.flatMap(({ kinds }) =>
  kinds.map(({ apiVersion }) => apiVersion),
);

/** What the chosen capabilities use of a server, and whether it has it. */
export function featuresOf(server: Server, choices: Choices, installsGrants: boolean): Feature[] {
  return features
    .filter(({ isNeeded }) => isNeeded(choices))
    .map(({ name, kinds, without }) => {
      if (kinds.some((kind) => server.serves(kind))) return { name, state: 'served', without };
      if (name === 'MutatingAdmissionPolicy' && choices.webhook) return { name, state: 'the webhook', without };
      const isInstalled = name === 'ReferenceGrant' && installsGrants;
      return { name, state: isInstalled ? 'installed' : 'not served', without };
    });
}
