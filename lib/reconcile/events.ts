import { createHash } from 'node:crypto';
import type { Cluster } from '../kubernetes/cluster.ts';
import type { KubernetesEvent } from '../kubernetes/objects.ts';
import { nameOf, resources } from '../kubernetes/resources.ts';
import type { Announcement } from './step.ts';

/** The API server refuses longer notes. */
const maxNoteLength = 1024;

/**
 * Records a Kubernetes Event. Its name is derived from its contents, so that recording it again after a crash, a
 * duplicate or a replay changes nothing. Events are informative: one that cannot be recorded never fails the step.
 */
export async function record(cluster: Cluster, announcement: Announcement, now: Date): Promise<void> {
  try {
    const event = eventOf(announcement, now);
    await cluster.create(nameOf(resources.event, event.metadata.namespace, event.metadata.name), event);
  } catch {
    // It exists already, or it cannot be recorded now.
  }
}

export function eventOf({ regarding, type, reason, message }: Announcement, now: Date): KubernetesEvent {
  const { name, namespace, uid, resourceVersion } = regarding.metadata;
  const said = createHash('sha256').update([uid, reason, message].join('\n')).digest('hex').slice(0, 16);
  return {
    apiVersion: resources.event.apiVersion,
    kind: resources.event.kind,
    // Events about cluster-scoped objects belong in the default namespace.
    metadata: { name: `${name.slice(0, 230).replace(/[^a-z0-9]+$/, '')}.${said}`, namespace: namespace ?? 'default' },
    regarding: { apiVersion: regarding.apiVersion, kind: regarding.kind, namespace, name, uid, resourceVersion },
    eventTime: now.toISOString().replace('Z', '000Z'),
    reportingController: 'longshore.dev/reconciler',
    reportingInstance: 'longshore',
    action: 'Reconcile',
    type,
    reason,
    note: message.slice(0, maxNoteLength),
  };
}
