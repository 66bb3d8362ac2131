import type { VolumeSnapshot } from '../../../../lib/capabilities/data-sources/objects.ts';
import { populateClaim } from '../../../../lib/capabilities/data-sources/steps/populate-claim/step.ts';
import type { Claim, ClusterObject, Volume } from '../../../../lib/kubernetes/objects.ts';
import type { Key } from '../../../../lib/kubernetes/resources.ts';
import type { Write } from '../../../../lib/reconcile/step.ts';
import { mergePatch } from '../../../simulation/merge-patch.ts';
import { protection, referenceTo } from '../../../support/builders.ts';
import {
  linkedClaim,
  linkGrant,
  namespace,
  snapshotContent,
  snapshotDriver,
  snapshotLink,
  storageClass,
  volumeSnapshot,
} from '../../../support/builders-of-snapshots.ts';
import { clusterOf } from '../cluster-of.ts';
import { now } from './populate-stages.ts';

export const claimKey: Key = { namespace: 'test', name: 'copy' };

/** Everything that is there when test/copy is made. */
export const everything = (): ClusterObject[] => [
  linkedClaim(),
  snapshotLink(),
  linkGrant(),
  volumeSnapshot(),
  snapshotContent(),
  namespace('test'),
  namespace('prod'),
  storageClass(),
];

const maxRuns = 30;
const maxTurns = 40;

/** A cluster of a few objects, with those who work there: runs may break off after any write, and are begun again. */
export class Play {
  objects: ClusterObject[];
  readonly writes: string[] = [];
  private made = 0;

  constructor(objects: ClusterObject[] = everything()) {
    this.objects = objects;
  }

  /** One run of the function, which breaks off before it would make one write too many. */
  async run(maxWrites = Number.POSITIVE_INFINITY, key: Key = claimKey): Promise<string> {
    let world = await populateClaim.read(clusterOf(...this.objects), key, now);
    for (let turn = 0, left = maxWrites; turn < maxTurns; turn += 1) {
      const decision = populateClaim.decide(world, now);
      if (decision.do !== 'write') return `${decision.do} ${'reason' in decision ? decision.reason : ''}`;
      if (left === 0) return 'crashed';
      left -= 1;
      world = { ...world, [decision.write.slot]: this.write(decision.write) };
    }
    throw new Error(`goes round in circles: ${this.writes.slice(-10).join(', ')}`);
  }

  /** Runs, and everybody else at work, until nothing moves any more. Each run breaks off after so many writes. */
  async settle(maxWrites = Number.POSITIVE_INFINITY, keys: Key[] = [claimKey]): Promise<string> {
    for (let run = 0; run < maxRuns; run += 1) {
      const before = JSON.stringify(this.objects);
      const outcomes: string[] = [];
      for (const key of keys) outcomes.push(await this.run(maxWrites, key));
      this.othersWork();
      if (before === JSON.stringify(this.objects)) return outcomes.join(', ');
    }
    throw new Error(`does not come to rest: ${this.writes.slice(-10).join(', ')}`);
  }

  find<T extends ClusterObject>(kind: string, name: string): T | undefined {
    return this.objects.find((object) => object.kind === kind && object.metadata.name === name) as T | undefined;
  }

  /** Of one kind in Longshore's own namespace, or with the name of a copy. */
  get copies(): string[] {
    const isCopy = ({ metadata }: ClusterObject) => metadata.name.startsWith('populate-');
    return this.objects.filter(isCopy).map(({ kind }) => kind);
  }

  remove(kind: string, name: string): void {
    const object = this.find(kind, name);
    if (object) this.replace(object, { metadata: { deletionTimestamp: now.toISOString() } });
  }

  /** The snapshot controller, the provisioner and the volume controller do what they can. */
  othersWork(): void {
    for (const object of [...this.objects]) {
      if (object.kind === 'VolumeSnapshot') this.lookAt(object as VolumeSnapshot);
      if (object.kind === 'PersistentVolumeClaim') this.provision(object as Claim);
    }
    for (const object of [...this.objects]) if (object.kind === 'PersistentVolume') this.bind(object as Volume);
    for (const object of [...this.objects]) this.finish(object);
  }

  private write(write: Write): ClusterObject | undefined {
    const { object, verb, slot } = write;
    this.writes.push(`${verb} ${slot}${verb === 'patch' && write.subresource ? ' status' : ''}`);
    const before = this.objects.find(
      ({ kind, metadata }) =>
        kind === object.resource.kind && metadata.name === object.name && metadata.namespace === object.namespace,
    );
    if (verb === 'create') {
      if (before) throw new Error(`${slot} is there already`);
      return this.create(write.body);
    }
    if (!before) throw new Error(`${verb} of a ${slot} that is not there`);
    const { uid, resourceVersion } = before.metadata;
    if (JSON.stringify(write.preconditions) !== JSON.stringify({ uid, resourceVersion })) {
      throw new Error(`${verb} of a ${slot} that has changed`);
    }
    const after = this.replace(
      before,
      verb === 'patch' ? write.body : { metadata: { deletionTimestamp: now.toISOString() } },
    );
    return this.finish(after) ?? (verb === 'patch' ? after : undefined);
  }

  private create(body: ClusterObject): ClusterObject {
    this.made += 1;
    const isClaim = body.kind === 'PersistentVolumeClaim';
    const finalizers = [...(body.metadata.finalizers ?? []), ...(isClaim ? [protection] : [])];
    const metadata = {
      ...body.metadata,
      uid: `uid-${this.made}`,
      resourceVersion: '1',
      creationTimestamp: now.toISOString(),
      ...(finalizers.length > 0 ? { finalizers } : {}),
    };
    const object = { ...body, metadata, ...(isClaim ? { status: { phase: 'Pending' } } : {}) };
    this.objects = [...this.objects, object];
    return object;
  }

  replace(before: ClusterObject, patch: object): ClusterObject {
    const version = { metadata: { resourceVersion: String(Number(before.metadata.resourceVersion) + 1) } };
    const after = mergePatch(mergePatch(before, patch), version) as ClusterObject;
    this.objects = this.objects.map((object) => (object === before ? after : object));
    return after;
  }

  /** What is deleted is gone when nobody holds it. */
  private finish(object: ClusterObject): ClusterObject | undefined {
    const { deletionTimestamp, finalizers = [] } = object.metadata;
    if (!deletionTimestamp) return object;
    const held = finalizers.filter((name) => name !== protection);
    if (held.length === 0) this.objects = this.objects.filter((each) => each !== object);
    return held.length === 0 ? undefined : object;
  }

  private lookAt(snapshot: VolumeSnapshot): void {
    const { volumeSnapshotContentName: name } = snapshot.spec.source;
    if (snapshot.status || !name || !this.find('VolumeSnapshotContent', name)) return;
    this.replace(snapshot, { status: { readyToUse: true, boundVolumeSnapshotContentName: name } });
  }

  private provision(claim: Claim): void {
    const { metadata, spec } = claim;
    const isRestored = spec.dataSourceRef?.kind === 'VolumeSnapshot';
    if (!isRestored || spec.volumeName || metadata.deletionTimestamp) return;
    const source = this.find<VolumeSnapshot>('VolumeSnapshot', spec.dataSourceRef?.name ?? '');
    if (!source?.status?.readyToUse) return;
    const name = `pvc-${metadata.uid}`;
    const policy = this.find<ClusterObject & { reclaimPolicy: 'Delete' | 'Retain' }>('StorageClass', 'fast');
    this.objects.push({
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: {
        name,
        uid: `uid-of-${name}`,
        resourceVersion: '1',
        annotations: { 'pv.kubernetes.io/provisioned-by': snapshotDriver },
      },
      spec: {
        claimRef: referenceTo(claim),
        persistentVolumeReclaimPolicy: policy?.reclaimPolicy ?? 'Delete',
        capacity: { storage: spec.resources?.requests?.storage ?? '' },
        storageClassName: 'fast',
        csi: { driver: snapshotDriver },
      },
      status: { phase: 'Bound' },
    } as Volume);
    this.replace(claim, { spec: { volumeName: name }, status: { phase: 'Bound' } });
  }

  private bind(volume: Volume): void {
    const { claimRef, persistentVolumeReclaimPolicy: policy } = volume.spec;
    const claim = this.objects.find(({ metadata }) => metadata.uid === claimRef?.uid) as Claim | undefined;
    if (claim && !claim.spec.volumeName) {
      this.replace(claim, { spec: { volumeName: volume.metadata.name }, status: { phase: 'Bound' } });
    }
    if (claim || !claimRef?.uid) return;
    if (policy === 'Delete') this.objects = this.objects.filter((object) => object !== volume);
    else if (volume.status?.phase !== 'Released') this.replace(volume, { status: { phase: 'Released' } });
  }
}
