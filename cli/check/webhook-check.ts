import { endedAt } from '../../lib/install/authority.ts';
import type { Choices } from '../../lib/install/choices.ts';
import { placeOf, silenceOf, tryWebhook } from '../../lib/install/webhook-trial.ts';
import type { ClusterApi } from '../connect/cluster-api.ts';
import { printable } from '../terminal/printable.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

const subject = 'webhook';

interface ServedKinds {
  resources?: { name: string }[];
}

/** Whether the webhook that was chosen answers the API server. */
export async function checkWebhook(
  api: ClusterApi,
  { webhook, capabilities }: Pick<Choices, 'webhook' | 'capabilities'>,
  now: Date,
): Promise<Finding[]> {
  if (!webhook) return [];
  const ended = webhook.caBundle === undefined ? undefined : endOf(webhook.caBundle, now);
  if (ended) return [ended];
  const [served, { changed, unchanged, untried }] = await Promise.all([
    api.get<ServedKinds>('/apis/admissionregistration.k8s.io/v1'),
    tryWebhook(api, capabilities),
  ]);
  if (unchanged.length > 0) return [problem(subject, printable(silenceOf(webhook, { unchanged })))];
  const refused = untried.map(({ policy, why }) => warning(subject, printable(`${policy} could not be tried: ${why}`)));
  if (changed.length === 0) return refused;
  const hasPolicies = served?.resources?.some(({ name }) => name === 'mutatingadmissionpolicies') === true;
  // The policies come first, and leave nothing to do: who has changed a claim does not show.
  const detail = hasPolicies
    ? 'claims are changed as they are created, which the policies of this server do as well'
    : `${placeOf(webhook)} answers the API server`;
  return [ok(subject, printable(detail)), ...refused];
}

function endOf(caBundle: string, now: Date): Finding | undefined {
  try {
    const end = endedAt(caBundle, now);
    if (!end) return undefined;
    const detail = `the authority of --admission-ca ended on ${end.toISOString().slice(0, 10)}, so the API server accepts no certificate that it has signed: install with the present one`;
    return problem(subject, detail);
  } catch {
    return problem(subject, 'the authority of --admission-ca is no certificate: install with another one');
  }
}
