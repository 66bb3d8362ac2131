import { resources } from '../../../lib/kubernetes/resources.ts';
import type { MessageParts, OutgoingMessage } from '../../../lib/queue/message-parts.ts';
import { Outbox, type OutboxOptions } from '../../../lib/queue/outbox.ts';

/** A message about one claim, which is its key, because of this version of it. */
export function partsOf(name: string, version = 1, functionName = 'match-claim'): MessageParts {
  return {
    cluster: 'main',
    function: functionName,
    resource: resources.claim,
    key: { namespace: 'prod', name },
    cause: { uid: `uid-${name}`, resourceVersion: String(version), type: 'update' },
    time: new Date(version),
  };
}

/** Each waits on behalf of its own, unless it is said on whose. */
export const waiting = (notify: () => void, of: object = {}) => ({ of, notify });

/** As they are told apart here: by their claim and, as the time of the change, its version. */
export const labelOf = ({ body }: OutgoingMessage): string => {
  const { name, time } = JSON.parse(body) as { name: string; time: string };
  return `${name} ${Date.parse(time)}`;
};

export function outboxWith(options: Partial<OutboxOptions> = {}) {
  const batches: string[][] = [];
  const pauses: number[] = [];
  const failures: string[] = [];
  // Shorter ones are those in which messages gather for one call.
  const pause = async (milliseconds: number) => {
    if (milliseconds >= 100) pauses.push(milliseconds);
    await new Promise((resolve) => setImmediate(resolve));
  };
  const outbox = new Outbox({
    clock: { elapsedMs: () => 0, pause },
    onFailure: (error) => failures.push(String(error)),
    ...options,
    send: async (name, messages) => {
      batches.push([name, ...messages.map(labelOf)]);
      return (await options.send?.(name, messages)) ?? [];
    },
  });
  return { outbox, batches, pauses, failures };
}
