import type { ClusterState, Written } from './cluster-state.ts';
import { extra, keyText, ownRoute, part, task } from './kinds.ts';

/** The objects for which something is to be done by whoever reconciles a key. */
export function concernedBy(state: ClusterState, key: string): Written[] {
  const [name = '', object = ''] = key.split(' ');
  const candidates = name === 'keep-part' ? [state.get(part, object)] : [state.get(task, object), ...state.of(extra)];
  return candidates.filter((written): written is Written => {
    const route = written && ownRoute(written.resource, written.object);
    return route !== undefined && keyText(route) === key;
  });
}
