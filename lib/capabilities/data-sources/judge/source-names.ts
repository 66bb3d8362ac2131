import { displayName, resources } from '../../../kubernetes/resources.ts';
import type { Provisioned } from '../reference.ts';
import type { CheckedSource } from './checked.ts';

/** The name of a source in messages to users. */
export function nameOfSource(source: CheckedSource | Provisioned): string {
  switch (source.type) {
    case 'snapshot':
      return `${resources.snapshot.kind} ${displayName(source)}`;
    case 'claim':
      return `claim ${displayName(source)}`;
    case 'foreign':
    case 'other':
      return `${source.kind} ${displayName(source)}`;
    default:
      return 'its data source';
  }
}

/** A kind with its group, as `kubectl` accepts it. */
export function nameOfKind({ group, kind }: { group: string; kind: string }): string {
  return group === '' ? kind : `${kind}.${group}`;
}
