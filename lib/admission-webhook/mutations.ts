import type { ClaimRequest } from './claim-request.ts';
import { holdAcceptingClaims } from './hold-accepting-claims.ts';
import { keepReferencesToSnapshots } from './keep-references-to-snapshots.ts';
import type { PolicyName } from './mutating-policies.ts';
import type { Operation } from './operation.ts';
import { restoredClaimsAreOrdinary } from './restored-claims-are-ordinary.ts';

/** What each MutatingAdmissionPolicy of manifests/admission does to a claim that meets its `matchConditions`. */
export const mutations: Readonly<Record<PolicyName, (request: ClaimRequest) => Operation[]>> = {
  'hold-accepting-claims': holdAcceptingClaims,
  'keep-references-to-snapshots': keepReferencesToSnapshots,
  'restored-claims-are-ordinary': restoredClaimsAreOrdinary,
};
