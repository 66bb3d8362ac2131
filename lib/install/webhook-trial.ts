import { policiesFor } from '../admission-webhook/webhook-configuration.ts';
import type { CapabilityName } from '../capabilities/names.ts';
import type { ObjectsApi } from './objects-api.ts';
import { probes } from './probes.ts';
import { tryProbe } from './try-probe.ts';
import type { WebhookChoice } from './webhook-choice.ts';

/** What became of claims that the API server asks the webhook about, one for each of its policies. */
export interface WebhookTrial {
  changed: string[];
  /** They stayed as they were written: nothing answered, or nothing that the server could use. */
  unchanged: string[];
  /** Refused for a reason of somebody else's, which says nothing about the webhook. */
  untried: { policy: string; why: string }[];
}

/**
 * The API server says nothing of a webhook that does not answer, and lets the claim pass: only the claim shows it. Nothing
 * is kept of what is written.
 */
export async function tryWebhook(api: ObjectsApi, capabilities: readonly CapabilityName[]): Promise<WebhookTrial> {
  const trial: WebhookTrial = { changed: [], unchanged: [], untried: [] };
  await Promise.all(
    policiesFor(capabilities).map(async (policy) => {
      const probe = probes.find((each) => each.policy === `longshore-${policy}`);
      if (!probe) throw new Error(`nothing tries ${policy}`);
      const seen = await tryProbe(probe, { own: api, controller: api }, ['rejected', 'exists']);
      if (typeof seen === 'boolean') trial[seen ? 'changed' : 'unchanged'].push(policy);
      else trial.untried.push({ policy, why: seen.why });
    }),
  );
  return trial;
}

export function placeOf({ url, service }: WebhookChoice): string {
  return service ? `Service ${service.namespace}/${service.name}` : url;
}

/** What is wrong, and what to do, where claims stay as they were written. */
export function silenceOf(choice: WebhookChoice, { unchanged }: Pick<WebhookTrial, 'unchanged'>): string {
  const lost =
    choice.caBundle === undefined
      ? 'that the API server trusts'
      : 'that the authority has signed which --admission-ca names';
  return `the API server gets no answer from the webhook at ${placeOf(choice)} that it can use, so claims stay as they are written (${unchanged.toSorted().join(', ')}). longshore run must have --admission, be reachable there from the API server, and have a certificate for that name ${lost}. The log of the API server says what failed: "failing open longshore"`;
}
