import type { Claim, Volume } from '../../../lib/kubernetes/objects.ts';
import { amountOf } from '../../../lib/kubernetes/quantity.ts';
import { resources } from '../../../lib/kubernetes/resources.ts';
import { type Class, type Content, contentResource, driverOf, handleOf, type Snapshot } from '../kinds.ts';
import { annotations } from '../names.ts';
import type { Origin, World } from './rule.ts';

/** The origin of a volume's data, or the reason why there is none. */
export type Found = { origin: Origin; source?: Claim } | { refused: string };

interface Place {
  namespace: string;
  name: string;
}

/** The checks of a snapshot, in the order of the real provisioner. */
export function fromSnapshot(world: World, claim: Claim, { provisioner }: Class, place: Place): Found {
  const { name } = place;
  const snapshot = world.get(resources.snapshot, place.namespace, name);
  if (!snapshot) return { refused: `snapshot ${name} is not there` };
  if (snapshot.metadata.deletionTimestamp) return { refused: `snapshot ${name} is being deleted` };
  const { boundVolumeSnapshotContentName: contentName, readyToUse, restoreSize } = snapshot.status ?? {};
  const content = contentName ? world.get(contentResource, undefined, contentName) : undefined;
  if (!content || !pointsAt(content, snapshot)) return { refused: `snapshot ${name} is not bound` };
  if (content.spec.driver !== provisioner) {
    return { refused: `snapshot ${name} is not bound for this driver: it is one of ${content.spec.driver}` };
  }
  if (!readyToUse) return { refused: `snapshot ${name} is not ready` };
  const handle = content.status?.snapshotHandle;
  if (!handle) return { refused: `snapshot ${name} has no handle yet` };
  const requested = requestOf(claim);
  if (restoreSize !== undefined && requested < (amountOf(restoreSize) ?? 0)) {
    return { refused: `the requested size ${requested} is less than ${restoreSize}, the size of snapshot ${name}` };
  }
  const mode = content.spec.sourceVolumeMode;
  if (mode && claim.spec.volumeMode && mode !== claim.spec.volumeMode && !modeMayChange(content)) {
    return { refused: `the volume mode is to become another one than ${mode}, which ${contentName} does not allow` };
  }
  return { origin: { snapshot: handle } };
}

/** Values that Go parses as true. */
function modeMayChange({ metadata }: Content): boolean {
  return ['1', 't', 'T', 'TRUE', 'true', 'True'].includes(metadata.annotations?.[annotations.modeMayChange] ?? '');
}

export function pointsAt({ spec }: Content, { metadata }: Snapshot): boolean {
  const { uid, namespace, name } = spec.volumeSnapshotRef;
  return uid === metadata.uid && namespace === metadata.namespace && name === metadata.name;
}

/** The checks of a claim that is to be cloned. */
export function fromClaim(world: World, claim: Claim, { provisioner }: Class, place: Place): Found {
  const { name } = place;
  const source = world.get(resources.claim, place.namespace, name);
  if (!source) return { refused: `claim ${name} is not there` };
  if (source.status?.phase !== 'Bound') return { refused: `claim ${name} is not bound` };
  if (source.metadata.deletionTimestamp) return { refused: `claim ${name} is being deleted` };
  if (requestOf(claim) < requestOf(source)) return { refused: `the request is smaller than that of claim ${name}` };
  const volume = world.get(resources.volume, undefined, source.spec.volumeName ?? '');
  const handle = volume && handleOf(volume);
  if (!volume || !handle || driverOf(volume) !== provisioner || !isBoundTo(volume, source)) {
    return { refused: `claim ${name} is not bound to a volume of this driver` };
  }
  if (modeOf(claim.spec) !== modeOf(volume.spec)) return { refused: `claim ${name} has another volume mode` };
  return { origin: { volume: handle }, source };
}

function isBoundTo({ spec, status }: Volume, { metadata }: Claim): boolean {
  const { uid, namespace, name } = spec.claimRef ?? {};
  const isHis = uid === metadata.uid && namespace === metadata.namespace && name === metadata.name;
  return isHis && status?.phase === 'Bound';
}

function modeOf({ volumeMode }: { volumeMode?: string }): string {
  return volumeMode ?? 'Filesystem';
}

export function requestOf({ spec }: Claim): number {
  return Math.ceil(amountOf(spec.resources?.requests?.storage) ?? 0);
}
