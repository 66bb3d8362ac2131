import { extra } from './kinds.ts';
import type { Moments } from './moments.ts';
import type { Stage } from './stage.ts';
import type { Trouble } from './troubles.ts';

/** A restore after which the lease may be another's takes longer than any lease lasts. */
const minRestoreMs = 16_500;
const bookmarkMs = 15_000;
const missing: readonly Trouble[] = ['stops', 'lost calls', 'slow calls', 'refused calls', 'restarts'];

/** What becomes of the API server in a run, and of the queues and the store. */
export function planServer(stage: Stage, moments: Moments): void {
  const { server, world } = stage;
  const { state, time } = world;
  const { random } = moments;
  const tellBookmarks = () => {
    server.tellBookmarks();
    time.after(bookmarkMs, tellBookmarks);
  };
  time.after(random.below(bookmarkMs), tellBookmarks);
  moments.some('restarts', 2, () => goDownFor(300 + random.below(6_000), stage, moments));
  moments.some('expired versions', 4, () => {
    state.compacted = Math.max(state.compacted, state.version - random.below(4));
  });
  moments.some('lacking kinds', 4, () => {
    if (!server.isUp) return;
    world.tell(() => (server.servesExtras ? 'extras are withdrawn' : 'extras are served'));
    if (server.servesExtras) server.withdrawExtras();
    else server.servesExtras = true;
  });
  planRestore(stage, moments);
  planOutages(stage, moments);
}

function planRestore(stage: Stage, moments: Moments): void {
  const { state, time } = stage.world;
  const { random } = moments;
  const latestMs = moments.endMs - minRestoreMs - 500;
  if (!moments.has('restores') || latestMs < 3_000) return;
  const [one, other] = [random.below(latestMs), random.below(latestMs)];
  time.at(Math.min(one, other), () => state.takeBackup());
  time.at(Math.max(one, other) + 1, () => {
    // Who holds the lease must be the same before and after, and nobody may take the old record for one that never
    // changed because they missed what came between; else all must know that it is over.
    const isMissed = missing.some((trouble) => moments.has(trouble));
    const isQuick = state.hasSameHolderInBackup && !isMissed && random.chance(0.7);
    const awayMs = isQuick ? 1_000 + random.below(5_000) : minRestoreMs;
    goDownFor(awayMs, stage, moments);
    time.after(awayMs - 1, () => {
      if (!isQuick || state.hasSameHolderInBackup) restore(stage);
    });
  });
}

function restore({ world, server }: Stage): void {
  world.tell(() => `restored from a backup, versions go back from ${world.state.version}`);
  world.state.restore();
  // Which kinds there are is restored like everything else.
  server.servesExtras ||= world.state.of(extra).length > 0;
}

function goDownFor(milliseconds: number, { server, world }: Stage, { endMs }: Moments): void {
  world.tell(() => `server is away for ${milliseconds} ms`);
  server.goDownFor(Math.min(milliseconds, endMs - world.time.nowMs));
}

function planOutages({ fates, world }: Stage, moments: Moments): void {
  const { random } = moments;
  moments.some('queue away', 1, () => {
    fates.isQueueAway = true;
    world.tell(() => 'queue is away');
    world.time.after(500 + random.below(15_000), () => {
      fates.isQueueAway = false;
    });
  });
  moments.some('store away', 1, () => {
    fates.isStoreAway = true;
    world.tell(() => 'store is away');
    world.time.after(500 + random.below(25_000), () => {
      fates.isStoreAway = false;
    });
  });
}
