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

/** The parts of a claim with a data source that lead to other keys, or show if there is work to do for it. */
export interface IndexedClaim {
  uid: Uid;
  /** The function that is responsible for it. */
  function: 'populate-claim' | 'check-source';
  /** The objects that it names: a change of any of them leads to the claim. */
  needs: Need[];
  isAtRest: boolean;
  /** It is not at rest only because a populator may register later, which is watched. */
  isSettled: boolean;
  isBound: boolean;
  /** The state that matters to its function, without what that function writes itself. */
  signature: string;
  isHeld: boolean;
  /** It is held, or once was, and is not at rest. */
  mayHaveCopies: boolean;
  /** The node that the scheduler has chosen for it. */
  node: string | undefined;
}

/** One thing that a claim waits for or relies on: an object of a kind, or all objects of a kind in a namespace. */
export type Need = `${'link' | 'snapshot' | 'claim' | 'class' | 'grants' | 'kind'} ${string}`;

export function need(type: 'link' | 'snapshot' | 'claim' | 'class' | 'grants' | 'kind', name: string): Need {
  return `${type} ${name}`;
}

/** Undefined for a claim that asks for no data, and for Longshore's own copies. */
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
    isSettled: !isPopulated && isAtRest(claim),
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

/** The final reasons of a claim that has a volume, or has lost it: such a claim is not read again. */
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

/** The state of a snapshot that matters to the claims that restore it. */
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

/** The state of a link or a grant that matters: its spec, the namespaces it is confirmed for, and if it exists. */
export function specSignature({ metadata, spec }: ClusterObject & { spec?: object }): string {
  const { uid, deletionTimestamp, annotations = {} } = metadata;
  return JSON.stringify([uid, deletionTimestamp, spec, annotations[confirmationAnnotation]]);
}

/**
 * The state of a snapshot's copy that matters to the claims that wait for it: none, until the snapshot controller has
 * processed it.
 */
export function copySignature({ status = {} }: VolumeSnapshot): string {
  return JSON.stringify([status.readyToUse === true, status.error?.message]);
}

/** A prime claim that its provisioner is working on: no reason for a message. */
export const working = 'working';

/**
 * The state of a prime claim that matters to the claim that waits for its volume: it becomes Bound last, and its node
 * may be removed.
 */
export function primeSignature({ metadata, status }: Claim): string {
  if (status?.phase === 'Bound') return 'bound';
  return metadata.annotations?.[selectedNode] ? working : 'without a node';
}

/** The state of a claim that matters to the claims that clone it. */
export function originalSignature({ metadata, status }: Claim): string {
  return JSON.stringify([metadata.uid, metadata.deletionTimestamp, status?.phase]);
}
