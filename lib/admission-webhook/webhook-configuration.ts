import type { CapabilityName } from '../capabilities/names.ts';
import { mutatingPolicies, type PolicyName, policyNames } from './mutating-policies.ts';

/** Where the API server finds the webhook: at an address, or at a Service of the cluster. */
export type WebhookPlace =
  | { url: string; service?: undefined }
  | { url?: undefined; service: { namespace: string; name: string; port?: number; path?: string } };

export interface WebhookOptions {
  /** The certificates, in PEM, that the server's own is signed by; without them those that the API server trusts anyway. */
  caBundle?: string | undefined;
  /** Without the capability that they belong to, the policies do harm. */
  capabilities?: readonly CapabilityName[] | undefined;
}

export const webhookConfigurationName = 'longshore';
/** Reviews are answered in milliseconds; a user waits for one that is not. */
const timeoutSeconds = 5;

const capabilityOf: Readonly<Record<PolicyName, CapabilityName>> = {
  'hold-accepting-claims': 'transfers',
  'keep-references-to-snapshots': 'data-sources',
  'restored-claims-are-ordinary': 'transfers',
};

/**
 * Does the same as the MutatingAdmissionPolicies in manifests/admission, with their rules and conditions, where the
 * cluster does not serve that kind. The API server evaluates the conditions, and asks only about claims that meet them.
 */
export function webhookConfiguration({ caBundle, capabilities, ...place }: WebhookPlace & WebhookOptions) {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    metadata: { name: webhookConfigurationName },
    webhooks: policiesFor(capabilities).map((name) => ({
      name: `${name}.longshore.dev`,
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      timeoutSeconds,
      ...mutatingPolicies[name],
      clientConfig: {
        ...placeOf(place, name),
        ...(caBundle === undefined ? {} : { caBundle: Buffer.from(caBundle).toString('base64') }),
      },
    })),
  };
}

/** Those that belong to these capabilities; all without any. */
export function policiesFor(capabilities: readonly CapabilityName[] | undefined): PolicyName[] {
  return policyNames.filter((name) => !capabilities || capabilities.includes(capabilityOf[name]));
}

export type WebhookConfiguration = ReturnType<typeof webhookConfiguration>;

function placeOf({ url, service }: WebhookPlace, name: PolicyName) {
  if (service) return { service: { ...service, path: `${withoutSlash(service.path ?? '')}/${name}` } };
  return { url: `${withoutSlash(url)}/${name}` };
}

function withoutSlash(text: string): string {
  return text.endsWith('/') ? text.slice(0, -1) : text;
}
