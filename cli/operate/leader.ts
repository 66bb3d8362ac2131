import { setTimeout as pause } from 'node:timers/promises';
import { type LeaderStatus, parseLeaderStatus } from '../../lib/forwarder/leader-status.ts';
import { holderOf, type LeaseRecord, statusAnnotation } from '../../lib/forwarder/lease-record.ts';
import type { ClusterApi } from '../connect/cluster-api.ts';
import { NoAnswer } from './open-within.ts';

export const leasesPath = '/apis/coordination.k8s.io/v1/namespaces/longshore-system/leases';
const prefix = 'forward.';
/** It is renewed every two seconds: two reads this far apart see another version. */
const rereadMs = 2_100;
const defaultSeconds = 15;

/** Whoever forwards for one identity, according to its Lease. */
export interface Leader {
  identity: string;
  holder: string;
  /** `stale`: it names a holder that does not renew it; `free`: it was given away, or its holder was not told. */
  state: 'leads' | 'stale' | 'free';
  renewedAt: string | undefined;
  /** How far the holder's clock is from the server's, if that is more than a few seconds. */
  clockAheadMs?: number;
  /** What the holder says itself. */
  status?: LeaderStatus;
}

/** The leases of all identities. */
export async function readLeases(api: ClusterApi): Promise<LeaseRecord[]> {
  const leases = (await api.list<LeaseRecord>(leasesPath)) ?? [];
  return leases.filter(({ metadata }) => metadata.name.startsWith(prefix));
}

/**
 * A Lease that names a holder proves nothing: a process that was killed leaves it as it is. One that was renewed a moment
 * ago by the server's clock is held; any other is read again, as the holder's clock may be wrong.
 */
export async function findLeaders(api: ClusterApi, serverNow: () => Date, wait = pause): Promise<Leader[]> {
  const first = await readLeases(api);
  const isClear = first.every((lease) => holderOf(lease) === '' || isFresh(lease, serverNow()));
  const again = isClear ? first : await wait(rereadMs).then(() => readLeases(api).catch(orEarlier(first)));
  return again.map((lease) => leaderOf(lease, versionIn(first, lease), serverNow()));
}

/** There may be no time left for a second look. */
function orEarlier(first: LeaseRecord[]) {
  return (error: unknown): LeaseRecord[] => {
    if (error instanceof NoAnswer) return first;
    throw error;
  };
}

export function leaderOf(lease: LeaseRecord, versionBefore: string | undefined, now: Date): Leader {
  const holder = holderOf(lease);
  const { renewTime } = lease.spec ?? {};
  const identity = lease.metadata.name.slice(prefix.length);
  const written = parseLeaderStatus(lease.metadata.annotations?.[statusAnnotation]);
  const said = written && (holder === '' || written.holder === holder) ? { status: written } : {};
  const known = { identity, holder, renewedAt: renewTime, ...said };
  if (holder === '') return { ...known, state: 'free' };
  const hasMoved = lease.metadata.resourceVersion !== versionBefore;
  if (isFresh(lease, now)) return { ...known, state: 'leads' };
  if (!hasMoved) return { ...known, state: 'stale' };
  const renewedMs = Date.parse(renewTime ?? '');
  return { ...known, state: 'leads', ...(Number.isNaN(renewedMs) ? {} : { clockAheadMs: renewedMs - now.getTime() }) };
}

function isFresh({ spec }: LeaseRecord, now: Date): boolean {
  const ageMs = now.getTime() - Date.parse(spec?.renewTime ?? '');
  const seconds = spec?.leaseDurationSeconds ?? defaultSeconds;
  return ageMs >= -2_000 && ageMs <= Math.min(seconds, defaultSeconds) * 1_000;
}

function versionIn(leases: readonly LeaseRecord[], { metadata }: LeaseRecord): string | undefined {
  return leases.find((each) => each.metadata.name === metadata.name)?.metadata.resourceVersion;
}
