import type { ClusterObject, Condition } from '../../lib/kubernetes/objects.ts';

/** What Flux, Argo CD and Helm make of an object. */
export interface KstatusVerdict {
  status: 'InProgress' | 'Current' | 'Failed' | 'Terminating';
  message: string;
}

interface WithStatus extends ClusterObject {
  status?: { observedGeneration?: number; conditions?: Condition[] };
}

/**
 * The rules of kstatus (sigs.k8s.io/cli-utils/pkg/kstatus) for kinds that it does not know, written down from its
 * documentation, in the order in which it applies them. Of a claim, which it knows, it asks whether it is bound.
 */
export function verdictOf(object: ClusterObject): KstatusVerdict {
  const { metadata, status = {} } = object as WithStatus;
  if (metadata.deletionTimestamp) return { status: 'Terminating', message: 'Resource scheduled for deletion' };
  const { observedGeneration, conditions = [] } = status;
  if (observedGeneration !== undefined && observedGeneration !== metadata.generation) {
    const message = `generation is ${metadata.generation}, but latest observed generation is ${observedGeneration}`;
    return { status: 'InProgress', message };
  }
  for (const { type, status: value, message } of conditions) {
    if (type === 'Reconciling' && value === 'True') return { status: 'InProgress', message };
    if (type === 'Stalled' && value === 'True') return { status: 'Failed', message };
  }
  const ready = conditions.find(({ type }) => type === 'Ready');
  // What has no such condition counts as reconciled.
  if (!ready || ready.status === 'True') return { status: 'Current', message: ready?.message ?? 'Resource is current' };
  return { status: 'InProgress', message: ready.message };
}
