import type { Claim, Volume } from '../../lib/kubernetes/objects.ts';
import { nameOf, objectPath, resources } from '../../lib/kubernetes/resources.ts';
import type { Progress } from '../objects/follow.ts';
import { read } from '../objects/objects.ts';
import { attempt, ifAllowed } from '../objects/refusals.ts';
import type { Work } from '../objects/work.ts';
import { claimProgress } from '../offer/progress.ts';
import type { Scene } from './scene.ts';

const { claim: claims, volume: volumes } = resources;

/** The scheduler writes it on the claim of a pod, and what creates volumes waits for nothing else. */
const selectedNode = 'volume.kubernetes.io/selected-node';

export interface BoundVolume {
  name: string;
  /** Undefined for whoever may not read volumes. */
  uid: string | undefined;
}

/** The claim that the demo moves. */
export function demoClaim({ first, plan, size }: Scene, name: string): Claim {
  const { className, node } = plan.storage;
  const annotations = node === undefined ? {} : { annotations: { [selectedNode]: node } };
  return {
    apiVersion: claims.apiVersion,
    kind: 'PersistentVolumeClaim',
    metadata: { namespace: first.namespace, name, ...annotations },
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: size } },
      storageClassName: className,
    },
  };
}

/** For a claim that another command makes. Longshore writes on it at the same time, so that no version can be named. */
export async function nameNode(scene: Scene, { namespace }: Work, name: string): Promise<void> {
  const { node } = scene.plan.storage;
  if (node === undefined) return;
  const words = ['annotate', `pvc/${name}`, `${selectedNode}=${node}`, '-n', namespace];
  const path = objectPath(nameOf(claims, namespace, name));
  const deed = { verb: 'patch', resource: claims, namespace, name } as const;
  await scene.kubectl(words, () =>
    attempt(deed, () => scene.first.api.patch(path, { metadata: { annotations: { [selectedNode]: node } } })),
  );
}

export async function boundProgress(work: Work, { metadata }: Claim): Promise<Progress> {
  const { namespace, name, uid } = metadata;
  const found = await read(work, claims, namespace, name);
  const isOver = ({ status }: Claim) => status?.phase === 'Bound';
  const progress = claimProgress(found, { type: '', what: `claim ${namespace}/${name}`, uid, isOver });
  // Longshore has nothing to report on a new claim.
  return { ...progress, isSilent: false };
}

/** A transfer is complete when its claim has the volume. The cluster writes on the claim a moment later. */
export async function untilBound(scene: Scene, work: Work, name: string): Promise<void> {
  const claim = await read(work, claims, work.namespace, name);
  if (!claim) throw new Error(`claim ${work.namespace}/${name} is gone`);
  await scene.until(`claim ${work.namespace}/${name} is bound`, () => boundProgress(work, claim));
}

export async function volumeOf(work: Work, name: string): Promise<BoundVolume> {
  const claim = await read(work, claims, work.namespace, name);
  const volumeName = claim?.spec.volumeName;
  if (!volumeName) throw new Error(`claim ${work.namespace}/${name} has no volume`);
  const volume = await ifAllowed(() => work.api.get<Volume>(objectPath({ resource: volumes, name: volumeName })));
  return { name: volumeName, uid: volume?.metadata.uid };
}

/** A name and a uid are long: each has a line of its own. */
export function describeVolume({ namespace }: Work, claim: string, { name, uid }: BoundVolume): string {
  return `  claim:  ${namespace}/${claim}\n  volume: ${name}\n  uid:    ${uid ?? 'you may not read volumes'}`;
}

/** What is shown is also checked. */
export function refuseOther(before: BoundVolume, now: BoundVolume): void {
  if (before.name === now.name && before.uid === now.uid) return;
  throw new Error(
    `volume ${now.name} (${now.uid}) is not the one that was there before: ${before.name} (${before.uid})`,
  );
}
