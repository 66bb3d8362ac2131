import type { Cause } from '../queue/message-parts.ts';
import type { Change } from './routing.ts';

const types = { listed: 'update', added: 'add', updated: 'update', deleted: 'delete' } as const;

/** The cause that a message names. */
export function causeOf({ object: { metadata }, type }: Change): Cause {
  return { uid: metadata.uid ?? '', resourceVersion: metadata.resourceVersion ?? '', type: types[type] };
}
