import type { VolumeSnapshotLink } from '../../lib/capabilities/data-sources/objects.ts';
import { isLegalName } from '../../lib/kubernetes/resources.ts';
import type { ClaimWithCapacity } from '../objects/claims.ts';
import { acceptWords, fitOf } from '../offer/accept-words.ts';
import { acceptAnnotation, isSafeToDelete, offerAnnotation } from '../offer/annotations.ts';
import { conditionOf, transferCondition } from '../offer/progress.ts';
import { partyIn } from './transfers.ts';
import { describeWords, type Said, saidBy, type Wait } from './wait.ts';
import { turnInData, turnInTransfer } from './whose-turn.ts';

type IsOwn = (namespace: string) => boolean;

/** Claims that are given away or accepted by annotation, as they say themselves. */
export function transfersWaiting(claims: readonly ClaimWithCapacity[], isOwn: IsOwn): Wait[] {
  return claims.flatMap((claim) => {
    const condition = conditionOf(claim, transferCondition);
    if (!condition || condition.status === 'True') return [];
    const { namespace = '', name, annotations = {} } = claim.metadata;
    const said = saidBy(claim.metadata, condition);
    const isSource = annotations[acceptAnnotation] === undefined || annotations[offerAnnotation] !== undefined;
    const other = placeIn(annotations[isSource ? offerAnnotation : acceptAnnotation]);
    // A claim that another namespace's request moves says for itself what its owner can do.
    const far = other?.namespace ?? namespace;
    const [source, target] = isSource ? [namespace, far] : [far, namespace];
    // The side that has named the other one is the source's, where a namespace has been made anew.
    const writer = said.reason === 'NamespaceReplaced' ? source : namespace;
    const turn = turnInTransfer(said.reason);
    const waitsFor = partyIn(turn, { source, target, writer }, isOwn);
    return [{ waitsFor, object: `pvc/${name}`, namespace, ...said, command: nextOf(claim, said, other) }];
  });
}

function nextOf(claim: ClaimWithCapacity, { reason }: Said, other: Place | undefined): string[] {
  const { namespace = '', name } = claim.metadata;
  if (other && reason === 'AwaitingAcceptance') {
    return acceptWords({ from: namespace, claim: name, namespace: other.namespace, toName: other.name }, fitOf(claim));
  }
  if (other && reason === 'NotOffered') {
    return ['longshore', 'offer', `pvc/${other.name}`, '--to', `${namespace}/${name}`, '-n', other.namespace];
  }
  // A condition may be older than the claim's present state, and the accepting claim may name any other.
  if (reason === 'AwaitingDeletion' && isSafeToDelete(claim)) {
    return ['kubectl', 'delete', `pvc/${name}`, '-n', namespace];
  }
  return describeWords(`pvc/${name}`, namespace);
}

interface Place {
  namespace: string;
  name: string;
}

function placeIn(text: string | undefined): Place | undefined {
  const [namespace, name, ...rest] = (text ?? '').split('/');
  // Whoever may write a claim may write anything there.
  const isPlace = isLegalName(namespace ?? '') && isLegalName(name ?? '') && rest.length === 0;
  return namespace && name && isPlace ? { namespace, name } : undefined;
}

/** Claims without a volume that wait for their data. What a bound claim says of its data is no waiting. */
export function dataWaiting(
  claims: readonly ClaimWithCapacity[],
  links: readonly VolumeSnapshotLink[],
  isOwn: IsOwn,
): Wait[] {
  return claims.flatMap((claim) => {
    const condition = conditionOf(claim, 'DataPopulated');
    const { namespace = '', name } = claim.metadata;
    if (!condition || condition.status === 'True' || claim.status?.phase === 'Bound') return [];
    const said = saidBy(claim.metadata, condition);
    const turn = turnInData(said.reason);
    const { kind, name: linked } = claim.spec.dataSourceRef ?? {};
    const isLinked = ({ metadata }: VolumeSnapshotLink) => metadata.namespace === namespace && metadata.name === linked;
    const source = kind === 'VolumeSnapshotLink' ? links.find(isLinked)?.spec.source : undefined;
    const far =
      source?.namespace ?? (kind === 'VolumeSnapshotReference' ? linked?.split('.')[0] : undefined) ?? namespace;
    const waitsFor =
      turn === 'snapshot' && !isOwn(far)
        ? ({ is: 'namespace', name: far } as const)
        : turn === 'administrator' || turn === 'nobody'
          ? ({ is: turn } as const)
          : ({ is: 'you' } as const);
    const command =
      said.reason === 'NotGranted' && source
        ? ['longshore', 'restore', source.name, '--from', far, '--to-name', name, '-n', namespace, '--no-wait']
        : describeWords(`pvc/${name}`, namespace);
    return [{ waitsFor, object: `pvc/${name}`, namespace, ...said, command }];
  });
}
