import type { Choices } from '../../lib/install/choices.ts';
import type { ObjectsApi } from '../../lib/install/objects-api.ts';
import { isInTime, type Waiting } from '../../lib/install/waiting.ts';
import { silenceOf, tryWebhook, type WebhookTrial } from '../../lib/install/webhook-trial.ts';

/** For so long the API server may not know a configuration yet. The webhook itself may be started long after it. */
const waitMs = 10_000;

/** What to say where the chosen webhook does not answer the API server; undefined if it does, or if there is none. */
export async function silenceOfWebhook(
  api: ObjectsApi,
  { webhook, capabilities }: Pick<Choices, 'webhook' | 'capabilities'>,
  waiting: Waiting,
): Promise<string | undefined> {
  if (!webhook) return undefined;
  let trial: WebhookTrial | undefined;
  const isAnswered = async () => {
    trial = await tryWebhook(api, capabilities);
    return trial.unchanged.length === 0;
  };
  const deadlineMs = Math.min(waiting.deadlineMs, waiting.clock.elapsedMs() + waitMs);
  if ((await isInTime({ ...waiting, deadlineMs }, isAnswered)) || !trial) return undefined;
  return `${silenceOf(webhook, trial)}. Run longshore check when that is so`;
}
