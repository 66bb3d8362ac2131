import type { Clock } from '../runtime/clock.ts';
import type { LeadershipTerm } from './elected-forwarder.ts';

/** The state of a forwarder: current values, and counters since its term began. */
export interface Stats {
  /** The age of the oldest change that its queue has not accepted, or the time since the server was last heard from. */
  lagSeconds: number;
  /** The time since the checkpoint in the cluster last advanced, for the kind where that is longest. */
  checkpointAgeSeconds: number;
  waiting: number;
  /** Those that wait because their namespaces send more than is processed. */
  held: number;
  inFlight: number;
  unfinished: number;
  unarchivedBytes: number;
  volumes: number;
  /** Volumes that wait for someone to decide about them. */
  keptVolumes: number;
  isFollowing: boolean;
  sent: number;
  coalesced: number;
  retried: number;
  /** Messages left to the slow lane, because too many objects wait for the same change. */
  deferred: number;
  lists: number;
  watchFailures: number;
}

/** A quiet server sends a bookmark about once a minute: only a longer silence counts as lag. */
const maxSilenceMs = 90_000;

export function statsOf({ forwarder, outbox, archive, lease }: LeadershipTerm, clock: Clock): Stats {
  const { lastResponseMs, isFollowing, lists, watchFailures } = forwarder.stats;
  const nowMs = clock.elapsedMs();
  const silenceMs = nowMs - lastResponseMs;
  const lagMs = Math.max(outbox.lagMs, silenceMs > maxSilenceMs || !isFollowing ? silenceMs : 0);
  const { sent, coalesced, retried, inFlight } = outbox.stats;
  return {
    lagSeconds: lagMs / 1_000,
    checkpointAgeSeconds:
      Math.max(nowMs - (lease.checkpointWrittenAt ?? nowMs), nowMs - (forwarder.openSinceMs ?? nowMs)) / 1_000,
    waiting: outbox.size - inFlight,
    held: outbox.heldCount,
    inFlight,
    unfinished: forwarder.unfinished,
    unarchivedBytes: archive.unwrittenBytes,
    volumes: forwarder.counts?.volumes ?? 0,
    keptVolumes: forwarder.counts?.keptVolumes ?? 0,
    isFollowing,
    sent,
    coalesced,
    retried,
    deferred: forwarder.deferred,
    lists,
    watchFailures,
  };
}
