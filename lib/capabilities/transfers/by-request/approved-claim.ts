import type { Claim, TransferApproval, TransferRequest } from '../../../kubernetes/objects.ts';
import { placeOf } from '../../../kubernetes/places.ts';
import { displayName } from '../../../kubernetes/resources.ts';
import { reject } from '../../../reconcile/obstacle.ts';
import type { StagedObstacle } from '../reasons.ts';

/**
 * What an approval says of the claim itself. A name alone stands for whichever claim has it: with a uid, the approval is
 * for one claim, and for none that is created under its name later.
 */

/** True unless the approval is for another claim than this one. A claim that does not exist contradicts nothing. */
export function isForClaim({ spec }: TransferApproval, source: Claim | undefined): boolean {
  const { uid } = spec.source;
  return !uid || !source || uid === source.metadata.uid;
}

/** True if the claim exists that the approval names by its uid, and stays. */
export function isForPresentClaim({ spec }: TransferApproval, source: Claim | undefined): boolean {
  return Boolean(spec.source.uid) && source?.metadata.uid === spec.source.uid && !source?.metadata.deletionTimestamp;
}

/** The difference between two sides that both name a uid. */
export function uidDifference(request: TransferRequest, approval: TransferApproval): string[] {
  const [wanted, approved] = [request.spec.source.uid, approval.spec.source.uid];
  if (!wanted || !approved || wanted === approved) return [];
  return [`the request's spec.source.uid is "${wanted}", the approval's spec.source.uid is "${approved}"`];
}

/** For the request: the uids are the business of the source's side. */
export function replacedClaim(approval: TransferApproval, source: Claim | undefined): StagedObstacle | undefined {
  if (!source || isForClaim(approval, source)) return undefined;
  const name = displayName(placeOf(source));
  const message = `approval ${displayName(approval.metadata)} is for another claim ${name} than the present one, which was created later: nothing is moved. If the present claim is meant, its owner must delete the approval and approve this request again`;
  return reject('ApprovedClaimReplaced', message);
}

/** The same, for the approval. */
export function replacedClaimForOwner({ spec }: TransferApproval, source: Claim): StagedObstacle {
  const message = `claim ${displayName(placeOf(source))} is not the approved one: its uid is ${source.metadata.uid}, spec.source.uid is ${spec.source.uid}. Nothing is moved. If the present claim is meant, delete this approval and approve the request again`;
  return reject('ApprovedClaimReplaced', message);
}

/** The same where no claim has the name now. */
export function goneClaimForOwner({ spec, metadata }: TransferApproval): StagedObstacle {
  const name = displayName({ namespace: metadata.namespace ?? '', name: spec.source.name });
  const message = `claim ${name} with uid ${spec.source.uid}, which is approved, does not exist, and no claim that is created under its name gets that uid. If another claim is meant, delete this approval and approve the request again`;
  return reject('ApprovedClaimReplaced', message);
}
