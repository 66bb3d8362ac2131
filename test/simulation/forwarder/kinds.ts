import type { ClusterObject } from '../../../lib/kubernetes/objects.ts';
import type { Resource } from '../../../lib/kubernetes/resource.ts';
import { displayName, keyNamed } from '../../../lib/kubernetes/resources.ts';
import type { Change, Route, Router } from '../../../lib/reconcile/routing.ts';

/** What is forwarded in a run: tasks, the parts that they need, and extras for them, of a kind that comes and goes. */
export const task: Resource = { apiVersion: 'v1', kind: 'Task', plural: 'tasks', namespaced: true };
export const part: Resource = { apiVersion: 'v1', kind: 'Part', plural: 'parts', namespaced: false };
export const extra: Resource = {
  apiVersion: 'extra.test/v1',
  mayBeLacking: true,
  kind: 'Extra',
  plural: 'extras',
  namespaced: true,
};
export const kinds: readonly Resource[] = [part, task, extra];
/** As the checkpoint names them. */
export const checkpointNames = new Map<Resource, string>([
  [task, 'tasks'],
  [part, 'parts'],
  [extra, 'extras.extra.test'],
]);

export const finalizer = 'longshore.dev/told';

const annotation = ({ metadata }: ClusterObject, name: string) => metadata.annotations?.[name];
const isAtRest = (object: ClusterObject) =>
  annotation(object, 'done') !== undefined && object.metadata.deletionTimestamp === undefined;

/** The parts without which nothing becomes of a task that is not at rest. */
export function needsOf(object: ClusterObject): string[] {
  return isAtRest(object) ? [] : (annotation(object, 'needs') ?? '').split(' ').filter(Boolean);
}

/** Whom an object concerns by itself, as long as something is to be done for it. */
export function ownRoute(resource: Resource, object: ClusterObject): Route | undefined {
  if (isAtRest(object)) return undefined;
  const { namespace = '', name } = object.metadata;
  if (resource === task) return { function: 'do-task', resource: task, key: { namespace, name } };
  if (resource === extra) {
    return { function: 'do-task', resource: task, key: keyNamed(annotation(object, 'for') ?? '') };
  }
  const isConcern = annotation(object, 'kept') !== undefined || object.metadata.deletionTimestamp !== undefined;
  return isConcern ? { function: 'keep-part', resource: part, key: { name } } : undefined;
}

/** Small, but with all that makes routing hard: an index, wake-ups across kinds, and two kinds that concern one key. */
export function createRouter(): Router {
  const needs = new Map<string, string[]>();
  const waitingFor = (name: string) =>
    [...needs].filter(([, parts]) => parts.includes(name)).map(([waiting]) => waiting);
  return {
    note({ type, resource, object }: Change): void {
      if (resource !== task) return;
      const needed = type === 'deleted' ? [] : needsOf(object);
      if (needed.length > 0) needs.set(displayName(object.metadata), needed);
      else needs.delete(displayName(object.metadata));
    },
    routesOf({ type, resource, object }: Change): Route[] {
      const own = type === 'deleted' ? undefined : ownRoute(resource, object);
      // Whoever waits is listed too, and looks at everything then.
      const woken = resource === part && type !== 'listed' ? waitingFor(object.metadata.name) : [];
      const toTasks = woken.map((name): Route => ({ function: 'do-task', resource: task, key: keyNamed(name) }));
      return own ? [own, ...toTasks] : toTasks;
    },
  };
}

/** A key of a function, as it is told. */
export function keyText({ function: name, key }: Pick<Route, 'function' | 'key'>): string {
  return `${name} ${displayName(key)}`;
}
