import { type ClaimRequest, hasSelector, selectorFor } from './claim-request.ts';
import type { Operation } from './operation.ts';

const transferStatus = 'pvc.kubernetes.io/transfer-status';

/** The same as manifests/admission/hold-accepting-claims.yaml, which says why. */
export function holdAcceptingClaims({ operation, object }: ClaimRequest): Operation[] {
  const { metadata, spec } = object;
  const annotations = metadata.annotations ?? {};
  if (operation !== 'CREATE' || annotations.transferAccept === undefined) return [];
  if (annotations[transferStatus] === 'complete') return [];
  if (spec.volumeName || spec.dataSource || spec.dataSourceRef) return [];
  const value = { apiGroup: 'longshore.dev', kind: 'Transfer', name: 'accepted' };
  const held: Operation = { op: 'add', path: '/spec/dataSourceRef', value };
  return hasSelector(object)
    ? [held]
    : [held, { op: 'add', path: '/spec/selector', value: selectorFor('transferred') }];
}
