import type { ClaimEvent } from './claim-events.ts';

/** One message of the FIFO queue, with the claim as its group, so that messages about one claim stay in order. */
export function messageOf({ type, namespace, name, uid, resourceVersion }: ClaimEvent) {
  return {
    MessageBody: JSON.stringify({ type, namespace, name, resourceVersion }),
    MessageGroupId: `${namespace}/${name}`,
    MessageDeduplicationId: `${uid}/${resourceVersion}/${type}`,
  };
}
