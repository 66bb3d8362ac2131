import { createHash } from 'node:crypto';
import type { ClusterState, Written } from './cluster-state.ts';

export const cluster = 'simulated';
const ownTypes = { ADDED: 'add', MODIFIED: 'update', DELETED: 'delete' } as const;

/** Which change a message is about: its id says so to whoever knows all changes. */
export class Causes {
  private readonly byId = new Map<string, Written>();

  constructor(state: ClusterState) {
    state.onWritten.push((written) => {
      // What a list finds counts as an update, whatever it was.
      for (const type of new Set(['update', ownTypes[written.type]])) this.byId.set(idOf(written, type), written);
    });
  }

  of(id: string): Written | undefined {
    return this.byId.get(id);
  }
}

function idOf({ object: { metadata } }: Written, type: string): string {
  const parts = [cluster, metadata.uid, metadata.resourceVersion, type];
  return createHash('sha256').update(parts.join('\n')).digest('hex');
}
