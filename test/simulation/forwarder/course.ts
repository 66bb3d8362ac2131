import type { Random } from '../random.ts';
import { planBurst } from './burst.ts';
import { planServer } from './course-of-the-server.ts';
import { ForwarderProcess } from './forwarder-process.ts';
import { Moments } from './moments.ts';
import type { Stage } from './stage.ts';
import type { Trouble } from './troubles.ts';
import { Users } from './users.ts';

interface Parts {
  stage: Stage;
  active: ReadonlySet<Trouble>;
  random: Random;
  processes: ForwarderProcess[];
  isBurst: boolean;
}

const hourMs = 3_600_000;
/** In half of the runs users go on for a while when all trouble is over; else what they did last was done in trouble. */
const afterTroubleMs = 8_000;

/** What happens when in a run. */
export class Course {
  private readonly parts: Parts;
  private readonly random: Random;
  private readonly moments: Moments;
  private readonly users: Users;
  private started = 0;

  constructor(parts: Parts) {
    const { world, server } = parts.stage;
    this.parts = parts;
    this.random = parts.random;
    this.moments = new Moments(world, parts.active, parts.random);
    this.users = new Users(world, server, parts.random);
  }

  /** Answers from when on nobody disturbs anything any more. */
  begin(): number {
    const { stage, isBurst } = this.parts;
    const { endMs } = this.moments;
    const usersUntilMs = endMs + (this.random.chance(0.5) ? afterTroubleMs : 0);
    for (let count = this.random.below(9); count > 0; count -= 1) this.users.act();
    this.planUsers(usersUntilMs);
    planServer(stage, this.moments);
    this.planForwarders();
    if (isBurst) planBurst(stage, this.moments);
    stage.world.time.at(endMs, () => {
      stage.world.tell(() => 'all trouble is over');
      stage.fates.areOver = true;
      stage.server.servesExtras ||= this.random.chance(0.5);
      void this.start().last();
    });
    return usersUntilMs + 1_000;
  }

  private planUsers(untilMs: number): void {
    const { time } = this.parts.stage.world;
    for (let count = 3 + this.random.below(30); count > 0; count -= 1) {
      const at = this.random.below(untilMs);
      const times = this.random.chance(0.2) ? 1 + this.random.below(6) : 1;
      for (let n = 0; n < times; n += 1) time.at(at + n * this.random.below(20), () => this.users.act());
    }
    // What is done while all goes wrong for the last time is not mended by what is done later.
    if (this.random.chance(0.5)) return;
    const flurryMs = 300 + this.random.below(1_500);
    for (let count = 2 + this.random.below(10); count > 0; count -= 1) {
      time.at(this.moments.endMs - this.random.below(flurryMs), () => this.users.act());
    }
  }

  private planForwarders(): void {
    const { time } = this.parts.stage.world;
    if (this.random.chance(0.4)) {
      this.planChain();
      return;
    }
    for (let count = 1 + this.random.below(3); count > 0; count -= 1) {
      const at = this.random.below(this.random.chance(0.5) ? 500 : Math.min(12_000, this.moments.endMs));
      time.at(at, () => void this.startInTrouble().last());
    }
  }

  /** One run after the other, each for longer than until the next one begins. */
  private planChain(): void {
    const { time } = this.parts.stage.world;
    const everyMs = 6_000 + this.random.below(10_000);
    for (let at = this.random.below(2_000); at < this.moments.endMs; at += everyMs) {
      const runMs = everyMs + this.random.below(everyMs);
      time.at(at, () => void this.startInTrouble().runFor(runMs, everyMs * 1.25));
    }
  }

  private start(): ForwarderProcess {
    const { stage, processes } = this.parts;
    this.started += 1;
    const options = { wallOffsetMs: this.offset(), upMs: this.random.below(100 * hourMs) };
    const process = new ForwarderProcess(`forwarder ${this.started}`, stage, options);
    processes.push(process);
    return process;
  }

  private startInTrouble(): ForwarderProcess {
    const { moments, random } = this;
    const { time } = this.parts.stage.world;
    const process = this.start();
    moments.some('kills', 1, () => this.killed(process));
    moments.some('stops', 1, () => {
      process.stopFor(Math.min(Math.max(500, moments.endMs - time.nowMs), 500 + random.below(40_000)));
    });
    moments.some('releases', 1, () => process.release());
    moments.some('clock jumps', 2, () => {
      process.machine.wallOffsetMs += this.offset();
    });
    return process;
  }

  /** Mostly another one begins soon afterwards, as whatever runs a process sees to it. */
  private killed(process: ForwarderProcess): void {
    const { time } = this.parts.stage.world;
    if (!process.isAlive) return;
    process.kill();
    const againMs = time.nowMs + this.random.below(4_000);
    const isAgain = this.random.chance(0.7) && againMs < this.moments.endMs;
    if (isAgain) time.at(againMs, () => void this.startInTrouble().last());
  }

  private offset(): number {
    return this.random.below(10 * hourMs) - 5 * hourMs;
  }
}
