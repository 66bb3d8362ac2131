import { expect, test } from '@jest/globals';
import { lengthOf } from '../support/soak.ts';
import type { Written } from './case-forwarder-history.ts';
import { Judge } from './case-forwarder-judge.ts';
import { checkpointName } from './case-forwarder-messages.ts';
import { type Stage, withStage } from './case-forwarder-stage.ts';

const { changes, kills, cutMs } = lengthOf({
  // One of the three disturbances, beside a cut of the wire.
  gate: { changes: 800, kills: 3, cutMs: 2_000 },
  soak: { changes: 10_000, kills: 20, cutMs: 10_000 },
});
/** In each of so many rounds the wire to the API server is cut as well, which nobody has to die of. */
const wireCutEvery = 3;
/** The part of the changes that is left for the one that is not killed. */
const lastChanges = 0.1;
/** The checkpoint is written with each renewal, and nothing holds it up any more at the end. */
const maxRenewals = 30;

/** What happens beside the kill in some of the rounds, each of which ends with one. */
const disturbances = ['server restarts', 'server restarts under a kill', 'queue is cut'] as const;

test(`${kills} kills, beside restarts of the API server and a cut of the queue, lose nothing and change no order`, async () => {
  await withStage(changes, async (stage) => {
    await Promise.all([stage.changes.run(), disturb(stage)]);
    await untilForwarded(stage);
    const judge = new Judge(stage.changes.written, stage.history);
    expect(judge.unexplained()).toEqual([]);
    expect(judge.outOfOrder()).toEqual([]);
    expect(judge.repeated()).toEqual([]);
    expect(judge.lost()).toEqual([]);
    expect(judge.aheadOfMessages()).toEqual([]);
    expect(judge.checkpointsBackwards()).toEqual([]);
    expect(judge.handOvers).toBeLessThanOrEqual(stage.lease.transitions);
    expect(stage.processes.kills).toBe(kills);
    expect(stage.changes.made).toBe(changes);
  });
});

/** Kills whoever leads, again and again while objects change. */
async function disturb(stage: Stage): Promise<void> {
  const { processes, changes: made, lease, server, queue } = stage;
  const rounds = [...Array(kills).keys()];
  const chosen = shuffled(rounds.slice(1, -1)).slice(0, disturbances.length);
  for (const round of rounds) {
    const leader = await processes.leader();
    made.proceedTo(partAfter(round + 0.6));
    const disturbance = disturbances[chosen.indexOf(round)];
    if (disturbance === 'queue is cut') queue.cut(cutMs);
    if (disturbance === 'server restarts') await server.restart();
    if (round % wireCutEvery === 0) await cutWire(stage);
    await lease.untilRenewed(renewalsIn(round, disturbance));
    await made.untilMade(Math.random() * 250);
    const restarting = disturbance === 'server restarts under a kill' ? server.restart() : undefined;
    await processes.kill(disturbance === 'server restarts' ? await processes.leader() : leader);
    await restarting;
    made.proceedTo(partAfter(round + 1));
  }
  made.proceedTo(1);
  await queue.untilWell();
}

/** In the middle of changes that are followed. */
async function cutWire({ processes, changes: made, wire }: Stage): Promise<void> {
  await processes.untilFollowing();
  await made.untilMade(50);
  wire.cut();
}

/** Some live for too short a time to write a checkpoint. Others write one, and what it leaves out would be seen. */
function renewalsIn(round: number, disturbance: string | undefined): number {
  if (disturbance === 'queue is cut') return 2;
  return round % wireCutEvery === 0 ? 1 : Math.floor(Math.random() * 2);
}

function partAfter(rounds: number): number {
  return (rounds / kills) * (1 - lastChanges);
}

/** Everything is on the queue, and whoever leads has said in the Lease that it is. */
async function untilForwarded({ processes, lease, changes: made }: Stage): Promise<void> {
  await processes.untilIdle();
  const isReached = ({ kind, versions }: Written) =>
    Number(lease.checkpoint[checkpointName(kind)] ?? 0) >= (versions.at(-1) ?? 0);
  for (let renewals = 0; !made.written.every(isReached); renewals += 1) {
    if (renewals === maxRenewals) throw new Error(`the checkpoint stays at ${JSON.stringify(lease.checkpoint)}`);
    await lease.untilRenewed(1);
  }
}

function shuffled<T>(all: T[]): T[] {
  return all
    .map((each) => ({ each, at: Math.random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ each }) => each);
}
