import { confirmationAnnotation } from '../../../kubernetes/namespace-consent.ts';
import type { TransferApproval } from '../../../kubernetes/objects.ts';
import { isOf } from '../../../kubernetes/of-kind.ts';
import { displayName, type Key, keyNamed, resources } from '../../../kubernetes/resources.ts';
import { NameSets } from '../../../reconcile/name-sets.ts';
import type { Change } from '../../../reconcile/routing.ts';

/** The approvals that wait for each request, by name, and the namespaces that were confirmed. */
export class ApprovalIndex {
  private readonly approvals = new NameSets();
  /** The values of the confirmations on requests and approvals. */
  private readonly confirmations = new Map<string, string>();
  private newlyConfirmed = false;

  note(change: Change): void {
    const { resource } = change;
    if (resource !== resources.transferApproval && resource !== resources.transferRequest) return;
    this.noteConfirmation(change);
    if (isOf(change, resources.transferApproval)) this.noteApproval(change.type, change.object);
  }

  waitingFor(request: Key): Key[] {
    return this.approvals.of(displayName(request)).map(keyNamed);
  }

  /** True if the change that was noted last was a confirmation by the owner: our own writes do not show that. */
  hasJustBeenConfirmed(): boolean {
    return this.newlyConfirmed;
  }

  private noteApproval(type: Change['type'], { metadata, spec, status }: TransferApproval): void {
    const request = displayName({ namespace: spec.targetNamespace, name: spec.requestName });
    const isOver = type === 'deleted' || status?.complete === true;
    if (isOver) this.approvals.delete(request, displayName(metadata));
    else this.approvals.add(request, displayName(metadata));
  }

  private noteConfirmation({ type, resource, object }: Change): void {
    const name = `${resource.kind} ${displayName(object.metadata)}`;
    const said = type === 'deleted' ? undefined : object.metadata.annotations?.[confirmationAnnotation];
    this.newlyConfirmed = type !== 'deleted' && this.confirmations.get(name) !== said;
    if (said === undefined) this.confirmations.delete(name);
    else this.confirmations.set(name, said);
  }
}
