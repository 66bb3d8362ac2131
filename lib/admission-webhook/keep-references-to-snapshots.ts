import {
  type ClaimRequest,
  type ClaimUnderReview,
  hasSelector,
  kindOf,
  type Reference,
  selectorFor,
  selectsOnly,
} from './claim-request.ts';
import { type Operation, remove } from './operation.ts';

const snapshot = 'snapshot.storage.k8s.io/VolumeSnapshot';
const link = 'snapshot.storage.k8s.io/VolumeSnapshotLink';
const ours = 'longshore.dev/VolumeSnapshotReference';
const namespaceForm = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
/** A policy cannot count without an end. */
const ownersSeen = 10;

/** The same as manifests/admission/keep-references-to-snapshots.yaml, which says why. */
export function keepReferencesToSnapshots(request: ClaimRequest): Operation[] {
  const { object } = request;
  const reference = object.spec.dataSourceRef;
  if (!reference || ![snapshot, link, ours].includes(kindOf(reference))) return [];
  const isRewritten = mustRewrite(request, reference);
  const isPopulatedByUs = isRewritten || (reference.kind !== 'VolumeSnapshot' && !reference.namespace);
  const [apiGroup, kind] = ours.split('/');
  const value = { apiGroup, kind, name: `${reference.namespace ?? ''}.${reference.name}` };
  return [
    ...(isRewritten ? [{ op: 'replace', path: '/spec/dataSourceRef', value } as const] : []),
    ...(isPopulatedByUs && needsSelector(request)
      ? [{ op: 'add', path: '/spec/selector', value: selectorFor('populated') } as const]
      : []),
    ...(isRewritten ? ownersOf(object) : []),
  ];
}

function mustRewrite(request: ClaimRequest, { kind, namespace }: Reference): boolean {
  if (kind !== 'VolumeSnapshot' || !namespaceForm.test(namespace ?? '')) return false;
  return request.operation === 'CREATE'
    ? !request.object.spec.dataSource
    : kindOf(request.oldObject.spec.dataSourceRef) === ours;
}

function needsSelector(request: ClaimRequest): boolean {
  if (hasSelector(request.object)) return false;
  return request.operation === 'CREATE' ? !request.object.spec.volumeName : selectsOnly(request.oldObject, 'populated');
}

/** Nobody has written what the reference becomes, so nobody owns it. */
function ownersOf({ metadata }: ClaimUnderReview): Operation[] {
  return (metadata.managedFields ?? []).slice(0, ownersSeen).flatMap(({ fieldsV1 }, index) => {
    const spec = fieldsV1?.['f:spec'];
    const isOwner = typeof spec === 'object' && spec !== null && Object.hasOwn(spec, 'f:dataSourceRef');
    return isOwner ? [remove('metadata', 'managedFields', String(index), 'fieldsV1', 'f:spec', 'f:dataSourceRef')] : [];
  });
}
