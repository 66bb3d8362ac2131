import { type ClaimRequest, kindOf, selectsOnly } from './claim-request.ts';
import { type Operation, remove } from './operation.ts';

const transferStatus = 'pvc.kubernetes.io/transfer-status';
const held = 'longshore.dev/Transfer';

/**
 * The same as manifests/admission/restored-claims-are-ordinary.yaml, which says why. Whether the user may write marks is
 * not in the request: the API server asks that before it sends one, by the policy's `matchConditions`.
 */
export function restoredClaimsAreOrdinary({ operation, object }: ClaimRequest): Operation[] {
  const { metadata, spec } = object;
  const annotations = metadata.annotations ?? {};
  const wasTransferred =
    annotations[transferStatus] === 'complete' || annotations['longshore.dev/transferred-by'] !== undefined;
  if (operation !== 'CREATE' || !wasTransferred) return [];
  const fields = [
    ...(kindOf(spec.dataSource) === held ? ['dataSource'] : []),
    ...(kindOf(spec.dataSourceRef) === held ? ['dataSourceRef'] : []),
    ...(selectsOnly(object, 'transferred') ? ['selector'] : []),
  ];
  return [
    ...Object.keys(annotations)
      .filter(isMark)
      .map((key) => remove('metadata', 'annotations', key)),
    ...fields.map((field) => remove('spec', field)),
  ];
}

function isMark(key: string): boolean {
  if (key === 'transferAccept' || key === transferStatus) return true;
  return key.startsWith('longshore.dev/transfer') && key !== 'longshore.dev/transferred-from';
}
