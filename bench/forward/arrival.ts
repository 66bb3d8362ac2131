import { keyNamed, resources } from '../../lib/kubernetes/resources.ts';
import { buildMessage } from '../../lib/queue/message.ts';
import type { Cause } from '../../lib/queue/message-parts.ts';
import type { Ledger, LedgerEntry } from './ledger.ts';
import type { Arrived } from './queue/queue-stand-in.ts';

/** The subject of a message that arrived. */
export interface Arrival {
  at: number;
  key: string;
  /** Only unknown for a deletion, whose version the API server only reports to watches. */
  version: number | undefined;
  isDeletion: boolean;
  /** Two messages with the same id are the same message sent twice. */
  id: string;
}

/** Reads a message of a baseline, which contains the version. */
export function readEvent({ at, groupId, body }: Arrived): Arrival {
  const { type, namespace, name, resourceVersion } = JSON.parse(body) as Record<string, string>;
  const id = `${groupId}/${resourceVersion}/${type}`;
  return { at, key: `${namespace}/${name}`, version: Number(resourceVersion), isDeletion: type === 'delete', id };
}

/**
 * Reads our messages. They contain no version, but an id that is computed from it: so it is computed from every version
 * that was written, and looked up.
 */
export function readMessage(ledger: Ledger, cluster: string): (arrived: Arrived) => Arrival {
  const versions = new Map<string, number>();
  const known = new Map<string, number>();
  const learn = () => {
    for (const entry of ledger.entries()) {
      for (const { version } of entry.versions.slice(known.get(entry.key) ?? 0)) {
        for (const id of idsOf(entry, version, cluster)) versions.set(id, version);
      }
      known.set(entry.key, entry.versions.length);
    }
  };
  return ({ at, body }) => {
    const { id = '', type = '', namespace, name } = JSON.parse(body) as Record<string, string>;
    const isDeletion = type.endsWith('.delete');
    const key = `${namespace}/${name}`;
    if (!versions.has(id) && !isDeletion) learn();
    const version = versions.get(id);
    if (version === undefined && !isDeletion) throw new Error(`nobody wrote the version that ${key} came in: ${body}`);
    return { at, key, version, isDeletion, id };
  };
}

function idsOf({ key, uid }: LedgerEntry, version: number, cluster: string): string[] {
  const types: Cause['type'][] = ['add', 'update'];
  return types.map((type) => {
    const cause = { uid, resourceVersion: String(version), type };
    const resource = resources.claim;
    const parts = { cluster, function: 'match-claim', resource, key: keyNamed(key), cause, time: new Date(0) };
    return (JSON.parse(buildMessage(parts).body) as { id: string }).id;
  });
}
