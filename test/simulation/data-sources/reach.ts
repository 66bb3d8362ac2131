import { finalizer } from '../../../lib/capabilities/data-sources/names.ts';
import type { Claim, ClusterObject } from '../../../lib/kubernetes/objects.ts';
import { resources } from '../../../lib/kubernetes/resources.ts';
import { annotations } from '../../../tools/csi-stand-in/names.ts';
import { Violation } from '../capability.ts';
import type { ClusterChange } from '../fake-cluster.ts';
import type { PendingCall } from '../gate.ts';
import { pathOf, place } from './objects.ts';

/** How far Longshore may reach with its writes: to its own copies, and to little else. */
export function checkReach(
  { type, resource, object }: ClusterChange,
  before: ClusterObject | undefined,
  call: PendingCall,
): void {
  const { namespace, name } = object.metadata;
  if (resource === resources.event) return;
  const isOwnPlace = namespace === place.system || resource === resources.snapshotContent;
  if (isOwnPlace && name.startsWith('populate-')) return;
  // What is done to volumes is looked at by what becomes of them.
  if (resource === resources.volume && call.verb === 'patch') return;
  const isLast = type === 'DELETED';
  if (resource !== resources.claim || call.verb !== 'patch' || namespace === place.system || !(before || isLast)) {
    throw new Violation(`Longshore writes on ${pathOf(object)}, which is not its own (${call.verb})`);
  }
  if (isLast) return;
  if (JSON.stringify(own(before as Claim)) !== JSON.stringify(own(object as Claim))) {
    throw new Violation(`Longshore changes what it must not on ${pathOf(object)}`);
  }
}

/** All of a claim that is its owner's or somebody else's, and not for Longshore to write. */
function own({ metadata, spec, status }: Claim): unknown[] {
  const { [annotations.selectedNode]: _, ...others } = metadata.annotations ?? {};
  const held = (metadata.finalizers ?? []).filter((each) => each !== finalizer);
  const said = (status?.conditions ?? []).filter(({ type }) => type !== 'DataPopulated');
  return [metadata.labels, metadata.ownerReferences, others, held, spec, status?.phase, said];
}
