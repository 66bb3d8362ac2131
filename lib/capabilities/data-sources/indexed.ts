import type { Uid } from '../../kubernetes/brands.ts';
import { confirmationAnnotation } from '../../kubernetes/namespace-consent.ts';
import type { Claim, ClusterObject } from '../../kubernetes/objects.ts';
import { displayName } from '../../kubernetes/resources.ts';
import { classOf } from '../../kubernetes/storage-class.ts';
import { selectedNode } from './copies.ts';
import { isAtRest } from './judge/checked.ts';
import { finalizer, isCopy } from './names.ts';
import type { VolumeSnapshot } from './objects.ts';
import { populatedConditionOf } from './populated.ts';
import { isOurs, type SourceReference, sourceOf } from './reference.ts';

/** What of a claim with a data source leads to other keys, or tells whether anything is to be done for it. */
export interface IndexedClaim {
  uid: Uid;
  /** The function that looks after it. */
  function: 'populate-claim' | 'check-source';
  /** What it names: each leads from a change there to the claim. */
  needs: Need[];
  isAtRest: boolean;
  isBound: boolean;
  /** What matters to its function, without what that writes itself. */
  signature: string;
  isHeld: boolean;
  /** It is held, or was at some time, and is not at rest. */
  mayHaveCopies: boolean;
  /** Which the scheduler has chosen for it. */
  node: string | undefined;
}

/** One thing that a claim waits for or relies on: an object of a kind, or everything of a kind in a namespace. */
export type Need = `${'link' | 'snapshot' | 'claim' | 'class' | 'grants' | 'kind'} ${string}`;

export function need(type: 'link' | 'snapshot' | 'claim' | 'class' | 'grants' | 'kind', name: string): Need {
  return `${type} ${name}`;
}

/** Undefined for a claim that asks for no data, and for the copies that Longshore makes. */
export function indexedClaim(claim: Claim): IndexedClaim | undefined {
  const source = sourceOf(claim);
  if (!source || isCopy(claim)) return undefined;
  const { metadata, status } = claim;
  const { uid = '', deletionTimestamp, annotations = {}, finalizers = [] } = metadata;
  const isPopulated = isOurs(source);
  const isHeld = finalizers.includes(finalizer);
  return {
    uid,
    function: isPopulated ? 'populate-claim' : 'check-source',
    needs: needsOf(claim, source),
    isAtRest: isPopulated ? isPopulatedAtRest(claim) : isCheckedAtRest(claim),
    isHeld,
    mayHaveCopies: isHeld,
    isBound: status?.phase === 'Bound',
    node: annotations[selectedNode],
    signature: JSON.stringify([
      uid,
      deletionTimestamp,
      status?.phase,
      classOf(claim),
      annotations[confirmationAnnotation],
    ]),
  };
}

/** What is said of a claim that has a volume, or has lost it, and is not to be looked at again. */
const finalReasons: Record<string, readonly string[]> = {
  Bound: ['Populated', 'BoundToOtherVolume'],
  Lost: ['VolumeLost', 'BoundToOtherVolume'],
};

function isPopulatedAtRest(claim: Claim): boolean {
  const { deletionTimestamp, finalizers = [] } = claim.metadata;
  const { reason = '' } = populatedConditionOf(claim) ?? {};
  const isSaid = finalReasons[claim.status?.phase ?? '']?.includes(reason) === true;
  return isSaid && !finalizers.includes(finalizer) && deletionTimestamp === undefined;
}

/** A kind may still be registered. */
function isCheckedAtRest(claim: Claim): boolean {
  return isAtRest(claim) && populatedConditionOf(claim)?.reason !== 'UnrecognizedDataSourceKind';
}

function needsOf(claim: Claim, source: SourceReference): Need[] {
  const { metadata } = claim;
  const className = classOf(claim);
  const inNamespace = (name: string) => displayName({ namespace: metadata.namespace ?? '', name });
  const ofClass = className ? [need('class', className)] : [];
  switch (source.type) {
    case 'link':
      return [need('link', inNamespace(source.name)), ...ofClass];
    case 'reference':
      return [need('snapshot', displayName(source)), need('grants', source.namespace), ...ofClass];
    case 'snapshot':
      return [need('snapshot', inNamespace(source.name))];
    case 'claim':
      return [need('claim', inNamespace(source.name))];
    case 'foreign':
      return [need('snapshot', displayName(source)), need('grants', source.namespace)];
    case 'other':
      return [need('kind', 'any')];
    default:
      return [];
  }
}

/** What of a snapshot matters to who restores it. */
export function snapshotSignature({ metadata, status = {} }: VolumeSnapshot): string {
  const { boundVolumeSnapshotContentName, readyToUse, restoreSize, error } = status;
  const { uid, deletionTimestamp } = metadata;
  return JSON.stringify([
    uid,
    deletionTimestamp,
    boundVolumeSnapshotContentName,
    readyToUse === true,
    restoreSize,
    error?.message,
  ]);
}

/** What of a link or a grant matters: what it says, for which namespaces, and whether it is there. */
export function wishSignature({ metadata, spec }: ClusterObject & { spec?: object }): string {
  const { uid, deletionTimestamp, annotations = {} } = metadata;
  return JSON.stringify([uid, deletionTimestamp, spec, annotations[confirmationAnnotation]]);
}

/** What of a snapshot's copy matters to who waits for it: nothing, until the snapshot controller has looked at it. */
export function copySignature({ status = {} }: VolumeSnapshot): string {
  return JSON.stringify([status.readyToUse === true, status.error?.message]);
}

/** A prime claim with which its provisioner is at work: nothing to wake anybody for. */
export const working = 'working';

/** What of a prime claim matters to who waits for its volume: that is bound last, and a node may be taken off it. */
export function primeSignature({ metadata, status }: Claim): string {
  if (status?.phase === 'Bound') return 'bound';
  return metadata.annotations?.[selectedNode] ? working : 'without a node';
}

/** What of a claim matters to who clones it. */
export function originalSignature({ metadata, status }: Claim): string {
  return JSON.stringify([metadata.uid, metadata.deletionTimestamp, status?.phase]);
}
