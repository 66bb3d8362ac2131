import { type CapabilityName, capabilityNames } from '../../lib/capabilities/names.ts';
import { isClusterError } from '../../lib/kubernetes/errors.ts';
import { collectionPath, isLegalName, objectPath, resources } from '../../lib/kubernetes/resources.ts';
import type { AnyObject, ClusterApi } from '../connect/cluster-api.ts';
import { printable } from '../terminal/printable.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

const maxNames = 10;

interface SnapshotClass extends AnyObject {
  driver?: string;
}

/** The drivers of volumes, and who of them has a snapshot class. */
export async function checkDrivers(
  api: ClusterApi,
  capabilities: readonly CapabilityName[] = capabilityNames,
): Promise<Finding[]> {
  if (!capabilities.some((name) => name !== 'buckets')) return [];
  const drivers = await api.list('/apis/storage.k8s.io/v1/csidrivers');
  const classes = await api.list<SnapshotClass>('/apis/snapshot.storage.k8s.io/v1/volumesnapshotclasses');
  const names = (drivers ?? []).map(({ metadata }) => metadata.name);
  const volumes = names.length === 0 ? warning('CSI drivers', 'there is none') : ok('CSI drivers', listed(names));
  if (!capabilities.includes('data-sources')) return [volumes];
  if (classes === undefined) {
    return [
      volumes,
      warning('snapshots', 'the cluster does not serve VolumeSnapshots: no claim can have one as its source'),
    ];
  }
  const having = new Set(classes.map(({ driver }) => driver));
  const lacking = names.filter((name) => !having.has(name));
  const snapshots =
    classes.length === 0
      ? warning('snapshots', 'there is no VolumeSnapshotClass')
      : ok('snapshots', `${classes.length} classes${lacking.length > 0 ? `; none of ${listed(lacking)}` : ''}`);
  return [volumes, snapshots];
}

interface BucketClass extends AnyObject {
  provisioner?: string;
}

/** Each driver that a BucketClass names is served by somebody. */
export async function checkBucketClasses(api: ClusterApi): Promise<Finding[]> {
  const classes = await api.list<BucketClass>(collectionPath(resources.bucketClass));
  if (!classes || classes.length === 0) return [ok('bucket classes', 'there is none')];
  const byDriver = Map.groupBy(classes, ({ provisioner = '' }) => provisioner);
  const findings = await Promise.all(
    [...byDriver].map(async ([driver, all]): Promise<Finding> => {
      const names = listed(all.map(({ metadata }) => metadata.name));
      const path = isLegalName(driver) ? objectPath({ resource: resources.registration, name: driver }) : undefined;
      if (path && (await api.get(path)))
        return ok('bucket classes', `${printable(driver)} is registered, for ${names}`);
      const detail = `nobody serves the driver ${printable(driver)} of ${names}`;
      return problem('bucket classes', detail, "longshore run --drivers '[…]' (docs/drivers.md)");
    }),
  );
  return findings;
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, maxNames).map(printable).join(', ');
  return names.length > maxNames ? `${shown} and ${names.length - maxNames} more` : shown;
}

/** A check that the caller may not make is a gap, and no proof of anything. */
export function unlessDenied(subject: string): (error: unknown) => Finding[] {
  return (error) => {
    if (!isClusterError(error, 'denied')) throw error;
    return [warning(subject, printable(error.message))];
  };
}
