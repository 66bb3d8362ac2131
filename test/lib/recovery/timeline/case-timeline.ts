import type { Cluster } from '../../../../lib/kubernetes/cluster.ts';
import type { ClusterObject, KubernetesEvent } from '../../../../lib/kubernetes/objects.ts';
import type { ObjectName } from '../../../../lib/kubernetes/resources.ts';
import type { View } from '../../../../lib/recovery/timeline/cluster-view.ts';
import { nameOfObject } from '../../../../lib/recovery/timeline/timeline-entry.ts';

const notFound = { kind: 'Status', reason: 'NotFound', message: 'not found' };

/** A cluster of these objects, by name, which answers with all of a Secret whatever it was asked for. */
export function viewOf(objects: Record<string, ClusterObject>, events: Record<string, KubernetesEvent[]> = {}) {
  const asked: string[] = [];
  const get = async (name: ObjectName) => {
    asked.push(nameOfObject(name));
    return objects[nameOfObject(name)];
  };
  const list = async (_: unknown, namespace: string | undefined, __?: unknown, fields: Record<string, string> = {}) =>
    events[`${fields['regarding.kind']} ${namespace}/${fields['regarding.name']}`] ?? [];
  const send = async ({ path, accept }: { path: string; accept?: string }) => {
    asked.push(`${path} as ${accept}`);
    const object = Object.values(objects).find(({ metadata }) => path.endsWith(`/secrets/${metadata.name}`));
    return { status: object ? 200 : 404, body: JSON.stringify(object ?? notFound) };
  };
  const view: View = { cluster: { get, list } as unknown as Pick<Cluster, 'get' | 'list'>, connection: { send } };
  return { view, asked };
}

export function event(note: string, eventTime: string): KubernetesEvent {
  return {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { name: note },
    type: 'Normal',
    reason: 'R',
    note,
    eventTime,
  };
}
