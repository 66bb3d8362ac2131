import type { NamedObject } from '../../queue/envelope.ts';
import type { OutgoingMessage } from '../../queue/message-parts.ts';

/** Selects archived messages. A field that is left out selects all. */
export interface Filter {
  function?: string;
  kind?: string;
  namespace?: string;
  name?: string;
}

export function isMeant(filter: Filter, message: Pick<OutgoingMessage, 'function'>, object: NamedObject): boolean {
  return (
    isOne(filter.function, message.function) &&
    isOne(filter.kind, object.kind) &&
    isOne(filter.namespace, object.namespace) &&
    isOne(filter.name, object.name)
  );
}

/**
 * Each cluster has its own archive, and Longshore only archives messages about that cluster in it: a replay of one cluster must
 * not send a forged message about another. A body that names no cluster is not a message, and is refused where it arrives.
 */
export function isOfCluster(cluster: string, object: NamedObject): boolean {
  return object.cluster === undefined || object.cluster === cluster;
}

function isOne(wanted: string | undefined, found: string | undefined): boolean {
  return wanted === undefined || wanted === found;
}
