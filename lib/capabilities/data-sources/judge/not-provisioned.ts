import type { Claim } from '../../../kubernetes/objects.ts';
import { createAnew } from '../advice.ts';
import type { Provisioned } from '../reference.ts';
import { type Evidence, failed, type Judgement, waiting, warning } from './judgement.ts';
import { nameOfSource } from './source-names.ts';

/** Judges a claim without a volume: can its provisioner work, as far as the source shows? */
export function judgeSource(claim: Claim, source: Provisioned, evidence: Evidence): Judgement {
  // For a source in another namespace, not even its existence is disclosed.
  if (source.namespace !== undefined) {
    const message = `this claim has no volume yet. A provisioner whose gate CrossNamespaceVolumeDataSource is on, like the server's, must restore ${nameOfSource(source)}, and a ReferenceGrant must allow it: kubectl describe shows what it waits for`;
    return waiting({ reason: 'NotBound', message });
  }
  return source.type === 'snapshot'
    ? judgeSnapshot(claim, source, evidence)
    : judgeSourceClaim(claim, source, evidence);
}

function judgeSnapshot(claim: Claim, source: Provisioned, { snapshot }: Evidence): Judgement {
  if (!snapshot) return missing(claim, source);
  const { metadata, status } = snapshot;
  if (metadata.deletionTimestamp) return warning(notReady(source, isGoing));
  if (status?.readyToUse && status.boundVolumeSnapshotContentName) return atWork(source);
  const problem = status?.error?.message;
  if (problem) return warning(notReady(source, `the snapshot controller says: ${problem}`));
  return notReady(source, 'the snapshot is still being taken');
}

function judgeSourceClaim(claim: Claim, source: Provisioned, { sourceClaim }: Evidence): Judgement {
  if (!sourceClaim) return missing(claim, source);
  if (sourceClaim.metadata.deletionTimestamp) return warning(notReady(source, isGoing));
  if (sourceClaim.status?.phase === 'Lost') return warning(notReady(source, 'it has lost its volume'));
  if (sourceClaim.status?.phase !== 'Bound') return notReady(source, 'it has no volume yet');
  return atWork(source);
}

const isGoing = `it is being deleted; ${createAnew('with another source')}`;

function missing({ metadata }: Claim, source: Provisioned): Judgement {
  const message = `there is no ${nameOfSource(source)} in namespace ${metadata.namespace}: create it; or, ${createAnew('with another source')}`;
  // It may still be created.
  return { ...failed({ reason: 'SourceMissing', message }), next: 'wait' };
}

function notReady(source: Provisioned, why: string): Judgement {
  return waiting({ reason: 'SourceNotReady', message: `${nameOfSource(source)} cannot be used: ${why}` });
}

function atWork(source: Provisioned): Judgement {
  const message = `this claim has no volume yet, and ${nameOfSource(source)} is ready: its provisioner is at work, or waits for the first pod; kubectl describe shows what it waits for`;
  return waiting({ reason: 'NotBound', message });
}
