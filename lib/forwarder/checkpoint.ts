import type { ResourceVersion } from '../kubernetes/brands.ts';

/**
 * The progress of forwarding a cluster's changes: for each kind, by its plural and group, the resource version up to
 * which every message has been accepted by its queue, and written to the archive if there is one.
 */
export type Checkpoint = Readonly<Record<string, ResourceVersion>>;

/** Far more than all kinds need. A longer string was not written by a forwarder. */
const maxTextLength = 65_536;

export function formatCheckpoint(checkpoint: Checkpoint): string {
  return JSON.stringify(checkpoint);
}

/** Undefined if it cannot be parsed: it is stored in the cluster, where others can write anything. */
export function parseCheckpoint(text: string): Checkpoint | undefined {
  if (text.length > maxTextLength) return undefined;
  const parsed = parseJson(text);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return undefined;
  return Object.values(parsed).every((version) => typeof version === 'string') ? (parsed as Checkpoint) : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
