import type { BucketClass } from '../../lib/capabilities/buckets/objects.ts';
import type { StorageClass } from '../../lib/kubernetes/objects.ts';
import type { AnyObject } from '../connect/cluster-api.ts';
import { printable } from '../terminal/printable.ts';

/** What the demo uses of what the cluster has, or why it cannot. */
export type Choice<T> = { found: T } | { lacking: string };

export interface SnapshotClass extends AnyObject {
  driver: string;
  deletionPolicy: 'Delete' | 'Retain';
}

export interface Node extends AnyObject {
  spec?: { unschedulable?: boolean };
  status?: { conditions?: { type: string; status: string }[] };
}

export interface CsiNode extends AnyObject {
  spec?: { drivers?: { name: string }[] };
}

const defaultClass = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
];
const defaultSnapshotClass = ['snapshot.storage.kubernetes.io/is-default-class'];

/** As the API server fills it in: of several default classes the newest one. What it makes must go with its claim. */
export function chooseStorageClass(classes: readonly StorageClass[], wanted?: string): Choice<StorageClass> {
  const defaults = classes
    .filter((each) => isMarked(each, defaultClass))
    .sort((one, other) => createdAt(other).localeCompare(createdAt(one)));
  const found = wanted === undefined ? defaults[0] : classes.find(({ metadata }) => metadata.name === wanted);
  if (!found) {
    const names = listed(classes);
    const problem = wanted === undefined ? 'there is no default class' : `there is no class ${wanted}`;
    return { lacking: `${problem}: name one with --storage-class${names && ` (there is ${names})`}` };
  }
  const { provisioner, reclaimPolicy, metadata } = found;
  const another = 'name another one with --storage-class';
  if (provisioner === 'kubernetes.io/no-provisioner') {
    return { lacking: `${metadata.name} does not create volumes: ${another}` };
  }
  if (reclaimPolicy === 'Retain') {
    return { lacking: `${metadata.name} keeps volumes when their claims are gone (reclaimPolicy Retain): ${another}` };
  }
  return { found };
}

export function chooseSnapshotClass(
  classes: readonly SnapshotClass[],
  driver: string,
  wanted?: string,
): Choice<SnapshotClass> {
  if (wanted !== undefined) {
    const named = classes.find(({ metadata }) => metadata.name === wanted);
    if (!named) return { lacking: `there is no VolumeSnapshotClass ${wanted}` };
    if (named.driver !== driver)
      return { lacking: `${wanted} is of driver ${printable(named.driver)}, not of ${driver}` };
    return named.deletionPolicy === 'Delete' ? { found: named } : { lacking: `${wanted} keeps snapshots (Retain)` };
  }
  const usable = classes.filter((each) => each.driver === driver && each.deletionPolicy === 'Delete');
  const found = usable.find((each) => isMarked(each, defaultSnapshotClass)) ?? only(usable);
  if (found) return { found };
  if (usable.length > 1) return { lacking: `name one with --snapshot-class: ${listed(usable)}` };
  return { lacking: `driver ${driver} has no VolumeSnapshotClass with deletionPolicy Delete` };
}

/** What is in a store already is left alone, and nothing is left there. */
export function chooseBucketClass(classes: readonly BucketClass[], wanted?: string): Choice<BucketClass> {
  const named = classes.find(({ metadata }) => metadata.name === wanted);
  if (wanted !== undefined && !named) return { lacking: `there is no BucketClass ${wanted}` };
  if (named) {
    const unfit = unfitness(named);
    return unfit === undefined ? { found: named } : { lacking: `${wanted} ${unfit}` };
  }
  const usable = classes.filter((each) => unfitness(each) === undefined);
  const found = only(usable);
  if (found) return { found };
  if (usable.length > 1) return { lacking: `name one with --bucket-class: ${listed(usable)}` };
  return { lacking: 'no BucketClass creates buckets, deletes them (releasePolicy Delete), and is for all namespaces' };
}

function unfitness({ provisioner, bucketIdentifier, secretRef, releasePolicy, metadata }: BucketClass) {
  if (provisioner === undefined || bucketIdentifier !== undefined || secretRef) return 'is for an existing bucket';
  if (releasePolicy !== 'Delete') return 'keeps buckets (releasePolicy Retain)';
  return metadata.annotations?.['longshore.dev/namespaces'] === undefined ? undefined : 'is for other namespaces';
}

/** A node that is ready, and has the driver if any has it: what is no CSI driver is not listed. */
export function chooseNode(nodes: readonly Node[], csiNodes: readonly CsiNode[], driver: string): string | undefined {
  const ready = nodes
    .filter(({ spec }) => !spec?.unschedulable)
    .filter(({ status }) => status?.conditions?.some((each) => each.type === 'Ready' && each.status === 'True'))
    .map(({ metadata }) => metadata.name);
  const having = csiNodes.filter(({ spec }) => spec?.drivers?.some(({ name }) => name === driver));
  const names = having.map(({ metadata }) => metadata.name);
  return names.length === 0 ? ready[0] : ready.find((name) => names.includes(name));
}

type Named = { metadata: { name: string } };

function only<T>(all: readonly T[]): T | undefined {
  return all.length === 1 ? all[0] : undefined;
}

function isMarked({ metadata }: { metadata: object }, names: readonly string[]): boolean {
  const { annotations = {} } = metadata as { annotations?: Record<string, string> };
  return names.some((name) => annotations[name] === 'true');
}

function createdAt({ metadata }: StorageClass): string {
  return metadata.creationTimestamp ?? '';
}

function listed(all: readonly Named[]): string {
  return all.map(({ metadata }) => metadata.name).join(', ');
}
