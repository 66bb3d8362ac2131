import type { AnyObject } from '../../../lib/install/installable.ts';
import type { ObjectsApi } from '../../../lib/install/objects-api.ts';

interface Claim extends AnyObject {
  metadata: AnyObject['metadata'] & { annotations?: Record<string, string> };
  spec: { dataSourceRef?: { kind: string } };
}

/** An API server that answers a claim that is to be created with this, and what it was asked. */
export function claimsAnswered(answer: (claim: Claim) => AnyObject) {
  const tried: { path: string; isDryRun: boolean }[] = [];
  const create = async (path: string, body: object, { isDryRun = false } = {}) => {
    tried.push({ path, isDryRun });
    return answer(structuredClone(body) as Claim);
  };
  return { api: { create } as unknown as ObjectsApi, tried };
}

/** As the policies and the webhook change claims. */
export function changed(claim: Claim): AnyObject {
  const { annotations = {} } = claim.metadata;
  if (annotations.transferAccept) return { ...claim, spec: { ...claim.spec, dataSourceRef: { kind: 'Transfer' } } };
  if (!claim.spec.dataSourceRef) return { ...claim, metadata: { ...claim.metadata, annotations: {} } };
  return { ...claim, spec: { ...claim.spec, dataSourceRef: { kind: 'VolumeSnapshotReference' } } };
}
