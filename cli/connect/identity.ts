import { setTimeout as pause } from 'node:timers/promises';
import { leaseNameFor, leaseNamespace, leaseResource } from '../../lib/forwarder/lease-name.ts';
import { clusterOf, type LeaseRecord } from '../../lib/forwarder/lease-record.ts';
import { isClusterError } from '../../lib/kubernetes/errors.ts';
import { collectionPath, objectPath } from '../../lib/kubernetes/resources.ts';
import type { Deployment } from '../../lib/recovery/deployment/deployment.ts';
import { printable } from '../terminal/printable.ts';
import type { ClusterApi } from './cluster-api.ts';
import type { OpenedCluster } from './open.ts';

/** It is not, or may not be, the cluster that is meant: nothing about it may be judged or changed. */
export class WrongCluster extends Error {}

export interface Meant {
  deployment: Deployment;
  /** What the deployment calls it. */
  cluster: string;
  /** The uids that `--assume-cluster` has. */
  assumed?: readonly string[] | undefined;
  /** What to type for another context. */
  contextOption: string;
}

type Seen = Pick<OpenedCluster, 'name' | 'server'> & { api: Pick<ClusterApi, 'get' | 'list'> };

/** A forwarder renews its Lease every two seconds. One that has not for so long may have left the cluster for good. */
const staleMs = 60 * 60_000;
/** One that has just created its Lease names the cluster with the first renewal. */
const renewalMs = 1_000;
const maxRenewals = 5;

interface Time {
  now: Date;
  pause: (milliseconds: number) => Promise<unknown>;
}

const realTime = (): Time => ({ now: new Date(), pause });

/**
 * Throws unless this is the cluster that the deployment calls so. Its forwarder has written that on its Lease there; no
 * other cluster has that Lease, and one of the same deployment has another name on it. In a wrong cluster every object
 * seems to be gone, and all work about it done.
 */
export async function confirmIdentity(seen: Seen, meant: Meant, time = realTime()): Promise<void> {
  const doubt = await doubtAbout(seen, meant, time);
  if (doubt === undefined) return;
  if (doubt.isCertain) throw new WrongCluster(doubt.text);
  const { cluster, assumed = [] } = meant;
  const uid = await uidOf(seen.api);
  if (uid !== undefined && assumed.includes(uid)) return;
  const unless = assumed.length > 0 ? `--assume-cluster ${assumed.join(' and ')} names another one. ` : '';
  const how =
    uid === undefined
      ? 'To assume it, you need the uid of namespace kube-system: ask a cluster administrator for that, or for the verb get on namespaces'
      : `If it is ${cluster} nevertheless, add --assume-cluster ${uid}`;
  throw new WrongCluster(`${doubt.text}. ${printable(`${unless}${how}`)}`);
}

interface Doubt {
  text: string;
  /** No confirmation changes it. */
  isCertain: boolean;
}

async function doubtAbout({ api, name, server }: Seen, meant: Meant, time: Time): Promise<Doubt | undefined> {
  const { deployment, cluster, contextOption } = meant;
  const here = `context ${name} (${server})`;
  const there = `cluster ${cluster} of ${deployment.name}`;
  const unclear = (why: string) => doubt(`cannot tell whether ${here} is ${there}: ${why}`, false);
  if (deployment.identity === undefined) return unclear('its stack does not say in which account it is');
  const lease = leaseNameFor(deployment.identity);
  let record: LeaseRecord | undefined;
  try {
    record = await namedLease(api, lease, time);
  } catch (error) {
    if (!isClusterError(error, 'denied')) throw error;
    return unclear(
      `you may not read the Lease ${leaseNamespace}/${lease} there. Ask a cluster administrator for the verb get on leases.coordination.k8s.io`,
    );
  }
  if (!record?.spec?.renewTime) {
    const others = await forwardersIn(api, lease);
    const whose = others.length > 0 ? `; those of ${others.join(', ')} have` : '';
    return doubt(
      `${here} is not ${there}: no forwarder of that has run there (no Lease ${leaseNamespace}/${lease})${whose}. Use ${contextOption}, or another KUBECONFIG`,
      false,
    );
  }
  const called = clusterOf(record);
  if (called === undefined) return unclear('no forwarder of this release has run there yet: deploy this release');
  if (called !== cluster) {
    return doubt(`${here} is cluster ${called} of ${deployment.name}, not ${cluster}: use ${contextOption}`, true);
  }
  const renewed = new Date(record.spec.renewTime);
  if (time.now.getTime() - renewed.getTime() < staleMs) return undefined;
  return unclear(`its forwarder was last there at ${renewed.toISOString()}`);
}

async function namedLease(api: Pick<ClusterApi, 'get'>, name: string, time: Time) {
  const path = objectPath({ resource: leaseResource, namespace: leaseNamespace, name });
  let record = await api.get<LeaseRecord>(path);
  for (let turn = 0; turn < maxRenewals && record?.spec?.renewTime && !clusterOf(record); turn += 1) {
    await time.pause(renewalMs);
    record = await api.get<LeaseRecord>(path);
  }
  return record;
}

function doubt(text: string, isCertain: boolean): Doubt {
  return { text: printable(text), isCertain };
}

/** Of other deployments, so that whoever has taken the wrong kubeconfig sees which one it is. */
async function forwardersIn(api: Pick<ClusterApi, 'list'>, except: string): Promise<string[]> {
  const leases = await api.list(collectionPath(leaseResource, leaseNamespace)).catch(() => undefined);
  return (leases ?? [])
    .map(({ metadata }) => metadata.name)
    .filter((name) => name.startsWith('forward.') && name !== except)
    .map((name) => name.slice('forward.'.length));
}

async function uidOf(api: Pick<ClusterApi, 'get'>): Promise<string | undefined> {
  const namespace = await api.get<{ metadata: { uid: string } }>('/api/v1/namespaces/kube-system').catch((error) => {
    if (isClusterError(error, 'denied')) return undefined;
    throw error;
  });
  return namespace?.metadata.uid;
}
