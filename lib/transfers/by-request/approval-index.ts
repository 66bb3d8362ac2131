import type { TransferApproval } from '../../cluster/objects.ts';
import { displayName, type Key, keyNamed, resources } from '../../cluster/resources.ts';
import { NameSets } from '../../reconcile/name-sets.ts';
import type { Change } from '../../reconcile/routing.ts';

/** Which approvals wait for which requests, by name. */
export class ApprovalIndex {
  private readonly approvals = new NameSets();

  note({ type, resource, object }: Change): void {
    if (resource !== resources.transferApproval) return;
    const { metadata, spec, status } = object as TransferApproval;
    const request = displayName({ namespace: spec.targetNamespace, name: spec.requestName });
    const isOver = type === 'deleted' || status?.complete === true;
    if (isOver) this.approvals.delete(request, displayName(metadata));
    else this.approvals.add(request, displayName(metadata));
  }

  waitingFor(request: Key): Key[] {
    return this.approvals.of(displayName(request)).map(keyNamed);
  }
}
