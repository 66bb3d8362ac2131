import type { Clock } from '../runtime/clock.ts';
import type { Term } from './lead.ts';

/** How a forwarder gets on: what is there now, and what has been counted since its term began. */
export interface Figures {
  /** For how long the oldest change that was seen has not been taken by its queue, or the server has not been heard of. */
  lagSeconds: number;
  /** Since the checkpoint in the cluster has moved; of all kinds, the one that stands still for the longest time counts. */
  checkpointAgeSeconds: number;
  waiting: number;
  /** How many of them wait because their namespaces have more to tell than is worked off. */
  held: number;
  inFlight: number;
  unfinished: number;
  unarchivedBytes: number;
  volumes: number;
  /** Those of them that wait for somebody to decide. */
  keptVolumes: number;
  isFollowing: boolean;
  sent: number;
  coalesced: number;
  retried: number;
  /** Messages that were left to the slow lane, as too many wait for what has changed. */
  deferred: number;
  lists: number;
  watchFailures: number;
}

/** A quiet server sends a bookmark about each minute: only a longer silence says that something is not heard of. */
const maxSilenceMs = 90_000;

export function figuresOf({ forwarder, outbox, archive, lease }: Term, clock: Clock): Figures {
  const { heardAtMs, isFollowing, lists, watchFailures } = forwarder.figures;
  const nowMs = clock.elapsedMs();
  const silenceMs = nowMs - heardAtMs;
  const lagMs = Math.max(outbox.lagMs, silenceMs > maxSilenceMs || !isFollowing ? silenceMs : 0);
  const { sent, coalesced, retried, inFlight } = outbox.figures;
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
