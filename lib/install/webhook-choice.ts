import {
  type WebhookPlace,
  webhookConfiguration,
  webhookConfigurationName,
} from '../admission-webhook/webhook-configuration.ts';
import type { CapabilityName } from '../capabilities/names.ts';
import type { AnyObject } from './installable.ts';

/** Where the API server finds the webhook of `longshore run`, and the authority that its certificate is checked with. */
export type WebhookChoice = WebhookPlace & { caBundle?: string };

export const webhookKind = 'MutatingWebhookConfiguration';

/** None where no policy belongs to the capabilities. */
export function webhookObjects(choice: WebhookChoice | null, capabilities: readonly CapabilityName[]): AnyObject[] {
  if (!choice) return [];
  const made = webhookConfiguration({ ...choice, capabilities });
  return made.webhooks.length > 0 ? [{ ...made }] : [];
}

/** What was written by an earlier installation; null if it is nothing that can be used. */
export function webhookChoiceOf(written: unknown): WebhookChoice | null {
  if (!isFields(written)) return null;
  const ca = typeof written.caBundle === 'string' ? { caBundle: written.caBundle } : {};
  if (typeof written.url === 'string') return { url: written.url, ...ca };
  const { namespace, name } = isFields(written.service) ? written.service : {};
  return typeof namespace === 'string' && typeof name === 'string' ? { service: { namespace, name }, ...ca } : null;
}

/** The choice that an installed configuration comes from, as far as it says so. */
export function webhookChoiceFrom(ours: readonly AnyObject[]): WebhookChoice | null {
  const found = ours.find(({ kind, metadata }) => kind === webhookKind && metadata.name === webhookConfigurationName);
  const [first] = (found?.webhooks ?? []) as { clientConfig?: Record<string, unknown> }[];
  const { url, service, caBundle } = first?.clientConfig ?? {};
  const ca = typeof caBundle === 'string' ? { caBundle: Buffer.from(caBundle, 'base64').toString('utf8') } : {};
  // Each policy has its path below the address.
  const at = typeof url === 'string' ? { url: url.slice(0, url.lastIndexOf('/')) } : {};
  return webhookChoiceOf({ ...at, service, ...ca });
}

/** The authority stays as it was chosen, as everything does, where only the place is chosen anew. */
export function withAuthorityOf(before: WebhookChoice | null, given: WebhookChoice): WebhookChoice {
  return { ...(before?.caBundle === undefined ? {} : { caBundle: before.caBundle }), ...given };
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
