import { statsOf } from '../../../lib/forwarder/stats.ts';
import { Random } from '../random.ts';
import { ApiServer } from './api-server.ts';
import { Causes, cluster } from './causes.ts';
import { Course } from './course.ts';
import { FakeQueues } from './fake-queues.ts';
import { FakeStore } from './fake-store.ts';
import type { ForwarderProcess } from './forwarder-process.ts';
import { Judge } from './judge.ts';
import { extra, kinds } from './kinds.ts';
import type { ForwarderMutant } from './mutant.ts';
import { Reconcilers } from './reconcilers.ts';
import type { Stage } from './stage.ts';
import { Told } from './told.ts';
import { Fates, type Trouble, troubles } from './troubles.ts';
import { World } from './world.ts';

export interface ForwarderPlan {
  seed: number;
  /** What may go wrong; in each run some of it does. */
  troubles: readonly Trouble[];
  mutant?: ForwarderMutant;
  /** Whether more changes come at once than may wait; else that is rare, as it takes long. */
  isBurst?: boolean;
}

/**
 * Until then everything late has arrived and all pauses after failures are over. The longest way: a lease expires (15 s), the new
 * holder defers part of a change to the slow lane (60 s), and what that sends is archived (5 s).
 */
const settlingMs = 90_000;
/** A connection that is silent is given up after two minutes, and a list that has no end is noticed by a bookmark. */
const silenceMs = 130_000;
const endMs = 12_000;
const burstShare = 0.0005;
const maxLagSeconds = 5;

/** One run: forwarders, a cluster, queues and a store, in trouble for a while, and then as they should be. */
export class Play {
  readonly world: World;
  private readonly course: Course;
  private readonly stage: Stage;
  private readonly told: Told;
  private readonly active: ReadonlySet<Trouble>;
  private readonly processes: ForwarderProcess[] = [];
  private readonly isBurst: boolean;

  constructor(plan: ForwarderPlan, isTraced: boolean) {
    const random = new Random(plan.seed);
    const chance = () => new Random(Math.floor(random.next() * 2 ** 32));
    this.world = new World(isTraced);
    this.isBurst = plan.isBurst ?? random.chance(burstShare);
    this.active = this.isBurst ? new Set() : activeOf(plan, random);
    const fates = new Fates(this.active, chance());
    const streaming = this.active.has('paged lists')
      ? 'refused'
      : this.active.has('ignored lists')
        ? 'ignored'
        : 'known';
    const server = new ApiServer(this.world, fates, chance(), streaming);
    const store = random.chance(0.5) ? new FakeStore(this.world, fates) : undefined;
    this.told = new Told(this.world, store);
    const isResyncIgnored = random.chance(0.8);
    const reconcilers = new Reconcilers({
      world: this.world,
      server,
      told: this.told,
      random: chance(),
      isResyncIgnored,
    });
    const causes = new Causes(this.world.state);
    const judge = new Judge({ world: this.world, lease: server.lease, causes, told: this.told, store, reconcilers });
    const queues = new FakeQueues(this.world, fates, chance(), judge);
    const parts = { world: this.world, fates, server, queues, store, judge };
    // What a burst is held back with may be more than may wait otherwise.
    const isLimited = !this.isBurst && !isResyncIgnored;
    this.stage = { ...parts, mutant: plan.mutant, takesTurns: !this.isBurst, isLimited };
    this.course = new Course({
      stage: this.stage,
      active: this.active,
      random: chance(),
      processes: this.processes,
      isBurst: this.isBurst,
    });
    this.world.tell(() => `troubles: ${[...this.active].join(', ')}`);
  }

  async run(): Promise<void> {
    const quietFromMs = this.course.begin();
    const isSlow = this.active.has('silent watches') || this.active.has('ignored lists');
    const deadlineMs = quietFromMs + settlingMs + (isSlow ? silenceMs : 0);
    let nowMs = quietFromMs;
    await this.passUntil(nowMs);
    while (this.unsettled() !== undefined && nowMs < deadlineMs) {
      nowMs += 1_000;
      await this.passUntil(nowMs);
    }
    const unsettled = this.unsettled();
    if (unsettled) this.world.violate(`in the end ${unsettled}`);
    this.world.check();
    await this.end(nowMs);
  }

  private async end(nowMs: number): Promise<void> {
    for (const process of this.processes) process.release();
    await this.passUntil(nowMs + endMs);
    const { store, server } = this.stage;
    if (this.processes.some(({ isAlive }) => isAlive)) this.world.violate('a forwarder does not end');
    if (server.lease.holder !== '') this.world.violate('the lease is not given away in the end');
    if (store && this.world.state.seq % 8 === 0) await this.checkArchive(store);
    this.world.check();
  }

  /** It is read as whoever replays messages does, in a share of the runs: that takes as long as a run does. */
  private async checkArchive(store: FakeStore): Promise<void> {
    const read = await store.read(cluster);
    const isSame = read.size === store.stored.size && [...read].every((id) => store.stored.has(id));
    if (!isSame) this.world.violate('the archive is not what was written to it');
  }

  private passUntil(nowMs: number): Promise<void> {
    return this.world.time.runUntil(nowMs, () => {
      this.stage.judge.checkNow();
      this.world.check();
    });
  }

  /** What is not yet as it must be in the end. */
  private unsettled(): string | undefined {
    const { queues, server } = this.stage;
    if (!this.isBurst && !queues.isEmpty) return 'something is on a queue';
    const leading = this.processes.find((process) => process.leading);
    if (!leading?.leading) return 'nobody leads';
    const { lagSeconds, waiting, unarchivedBytes } = statsOf(leading.leading, leading.machine.clock);
    // After a burst there is always something that is told again.
    const isLate = this.isBurst ? lagSeconds > maxLagSeconds : lagSeconds > 0 || waiting > 0 || unarchivedBytes > 0;
    if (isLate) return `the lag is ${lagSeconds} s`;
    const missing = this.told.missing();
    if (missing) return missing;
    const served = kinds.filter((kind) => kind !== extra || server.servesExtras);
    const isThere = this.told.isCheckpointThere(this.world.state.lease, served);
    return isThere ? undefined : 'the checkpoint stays behind';
  }
}

/** Some of what may go wrong; in a few runs nothing does. The same is chosen whatever else is left out. */
function activeOf({ troubles: allowed, mutant }: ForwarderPlan, random: Random): Set<Trouble> {
  const share = random.pick([0, 0.15, 0.3, 0.5]);
  // What needs just two things to go wrong together is hidden by all others.
  const few = random.chance(0.3) ? [random.pick(troubles), random.pick(troubles), random.pick(troubles)] : undefined;
  const isChosen = (trouble: Trouble) => (random.chance(share) && !few) || few?.includes(trouble);
  const chosen = troubles.filter((trouble) => isChosen(trouble) || mutant?.needs?.includes(trouble));
  return new Set(chosen.filter((trouble) => allowed.includes(trouble)));
}
