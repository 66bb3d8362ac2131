import { type ClaimRequest, type ClaimUnderReview, kindOf, selectsOnly } from './claim-request.ts';
import { type Operation, remove } from './operation.ts';

const transferStatus = 'pvc.kubernetes.io/transfer-status';
const fence = 'longshore.dev/transfer-offer';
const held = 'longshore.dev/Transfer';

/**
 * The same as manifests/admission/restored-claims-are-ordinary.yaml, which says why. Whether the user may write marks is
 * not in the request: the API server asks that before it sends one, by the policy's `matchConditions`.
 */
export function restoredClaimsAreOrdinary({ operation, object }: ClaimRequest): Operation[] {
  if (operation !== 'CREATE') return [];
  const annotations = object.metadata.annotations ?? {};
  const finalizers = object.metadata.finalizers ?? [];
  const wasTransferred =
    annotations[transferStatus] === 'complete' || annotations['longshore.dev/transferred-by'] !== undefined;
  // A transfer by annotation was under way: its wish stays, and begins anew.
  const wasPending = annotations[transferStatus] === 'pending' || finalizers.includes(fence);
  if (!wasTransferred && !wasPending) return [];
  const marks = Object.entries(annotations).filter(
    ([key, value]) => isMarkOfOffer(key, value) || (wasTransferred && isMarkOfTransfer(key)),
  );
  return [
    ...marks.map(([key]) => remove('metadata', 'annotations', key)),
    ...(finalizers.includes(fence) ? [withoutFence(finalizers)] : []),
    ...(wasTransferred ? fieldsOfTransfer(object).map((field) => remove('spec', field)) : []),
  ];
}

function isMarkOfOffer(key: string, value: string): boolean {
  return key === 'longshore.dev/transfer-volume' || (key === transferStatus && ['pending', 'complete'].includes(value));
}

function isMarkOfTransfer(key: string): boolean {
  if (key === 'transferAccept') return true;
  return key.startsWith('longshore.dev/transfer') && key !== 'longshore.dev/transferred-from';
}

function withoutFence(finalizers: readonly string[]): Operation {
  return { op: 'replace', path: '/metadata/finalizers', value: finalizers.filter((name) => name !== fence) };
}

function fieldsOfTransfer(claim: ClaimUnderReview): string[] {
  const { spec } = claim;
  return [
    ...(kindOf(spec.dataSource) === held ? ['dataSource'] : []),
    ...(kindOf(spec.dataSourceRef) === held ? ['dataSourceRef'] : []),
    ...(selectsOnly(claim, 'transferred') ? ['selector'] : []),
  ];
}
