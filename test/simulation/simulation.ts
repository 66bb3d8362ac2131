import { type CapabilityRun, Violation } from './capability.ts';
import { EmbeddedQueue } from './embedded-queue.ts';
import { FakeCluster } from './fake-cluster.ts';
import { FakeForwarder } from './fake-forwarder.ts';
import { FakeQueue } from './fake-queue.ts';
import { Faults } from './faults.ts';
import type { Plan } from './plan.ts';
import { Random } from './random.ts';
import { isForged } from './replay/message-history.ts';
import { Replayer } from './replay/replayer.ts';
import { flawSeenByTools } from './seen-by-tools.ts';
import type { SimulatedQueue } from './simulated-queue.ts';
import { Workers } from './workers.ts';

const maxReceives = 8;
const activeTurns = 220;
const settlingRounds = 60;
/** How long a call takes when nothing disturbs it; while all is being settled, too, no worker has time without end. */
const callMs = 20;
/** Whatever waits for a while has waited long enough when everything is listed again. */
const betweenListsMs = 15 * 60_000;
const startTime = Date.parse('2026-01-01T00:00:00Z');

/** Runs one seed from beginning to end. Answers what went wrong, or undefined. */
export async function simulate(plan: Plan): Promise<{ violation: string; trace: string[] } | undefined> {
  const run = new Run(plan);
  try {
    await run.run();
    return undefined;
  } catch (error) {
    if (error instanceof Violation) return { violation: error.message, trace: run.trace };
    throw error;
  }
}

class Run {
  readonly trace: string[] = [];
  private readonly plan: Plan;
  private readonly random: Random;
  private readonly cluster: FakeCluster;
  private readonly queue: SimulatedQueue;
  private readonly forwarder: FakeForwarder;
  private readonly of: CapabilityRun;
  private readonly faults: Faults;
  private readonly workers: Workers;
  private readonly replayer: Replayer | undefined;
  private violation: Violation | undefined;
  private now = startTime;

  constructor(plan: Plan) {
    this.plan = plan;
    this.queue = queueOf(plan);
    this.random = new Random(plan.seed);
    this.faults = new Faults(plan, this.random);
    this.cluster = new FakeCluster(() => new Date(this.now));
    // A cluster need not show its Secrets.
    // Secrets that are not watched are only looked at with each list.
    const isBlind = plan.seed % 4 === 0 && plan.resync !== false;
    const mutate = plan.mutant?.router;
    this.forwarder = new FakeForwarder(this.cluster, (message) => this.enqueue(message), { isBlind, mutate });
    this.of = plan.capability.begin(this.cluster, this.random);
    const { controllers, invariants } = this.of;
    this.workers = new Workers({
      plan,
      random: this.random,
      cluster: this.cluster,
      queue: this.queue,
      maxReceives,
      trace: this.trace,
      stepsFor: (gate) => this.of.stepsFor(gate),
      beforeWrite: (call) => this.guard(() => invariants.beforeWrite(call)),
      afterWrite: (call) => this.guard(() => invariants.afterWrite(call)),
      holdUp: (call) => this.of.scenario.holdUp?.(call, this.random) ?? 0,
    });
    const { random, trace, queue } = this;
    const surroundings = { now: () => this.cluster.now(), queue, random, trace };
    if (plan.replays) this.replayer = new Replayer(plan.replays, surroundings);
    controllers.syncAll();
    this.cluster.onChange = (change) => this.guard(() => invariants.afterChange(change));
  }

  async run(): Promise<void> {
    const script = this.script();
    for (let turn = 0; turn < activeTurns; turn += 1) {
      for (const action of script.get(turn) ?? []) this.actAsUser(action);
      await this.turn();
      if (this.violation) throw this.violation;
    }
    await this.settle();
    this.of.checkEnd();
    this.plan.onEnd?.(this.cluster, this.of.scenario);
  }

  /** When which user does what. What it is all about comes first, in any order. */
  private script(): Map<number, string[]> {
    const script = new Map<number, string[]>();
    const at = (turn: number, action: string) => script.set(turn, [...(script.get(turn) ?? []), action]);
    for (const [action, latest] of this.of.scenario.course()) at(this.random.below(latest), action);
    for (const action of this.pickActions()) at(this.random.below(activeTurns), action);
    for (const [action, turn] of this.plan.mutant?.course ?? []) at(turn, action);
    return script;
  }

  private pickActions(): string[] {
    const allowed = this.plan.mutant?.actions ?? this.plan.actions;
    const count = allowed.length === 0 ? 0 : this.random.below(4);
    return Array.from({ length: count }, () => this.random.pick(allowed));
  }

  private actAsUser(action: string): void {
    this.trace.push(`user: ${action}`);
    this.guard(() => this.of.invariants.beforeUserAction(action));
    this.guard(() => this.of.scenario.act(action));
  }

  /** One thing happens somewhere, or where the capability is in haste a few of the same sort. */
  private async turn(): Promise<void> {
    const { rateLimiter } = this.plan.capability;
    this.pass(this.random.below(2 * callMs));
    this.replayer?.turn();
    const choice = this.random.next();
    if (choice >= 0.97) this.disturb();
    else
      for (let times = rateLimiter ? 1 + this.random.below(rateLimiter) : 1; times > 0; times -= 1)
        await this.happen(choice);
    // Everything that can go on without another turn does so before the next one.
    await new Promise(setImmediate);
  }

  private async happen(choice: number): Promise<void> {
    if (choice < 0.5 && this.workers.pending.length > 0) await this.answer();
    else if (choice < 0.65) this.deliver();
    else if (choice < 0.85) this.forwarder.forwardOne(this.random, this.plan.capability.watchedKinds);
    else this.guard(() => this.of.controllers.syncOne(this.random));
  }

  private pass(milliseconds: number): void {
    this.now += milliseconds;
    this.workers.endOverdue();
  }

  private deliver(): void {
    this.guard(() => this.workers.deliver(this.faults.allow('duplicates')));
  }

  private answer(): Promise<void> {
    return this.workers.answer((call) => this.faults.mannerOf(call));
  }

  private enqueue(message: Parameters<SimulatedQueue['send']>[0]): void {
    this.replayer?.sent(message);
    if (this.faults.happens('drops', 0.03)) return;
    if (this.replayer?.isLosing) return;
    this.queue.send(message, this.faults.happens('reorders', 0.1) ? 0 : undefined);
  }

  private disturb(): void {
    const what = this.random.below(10);
    if (what < 3) this.pass(this.random.below(4_000));
    // What was read before such a pause is too old to be relied on after it.
    if (what === 3) this.pass(6_000 + this.random.below(4_000));
    if (this.plan.resync === false) return;
    if (what > 3 && what < 8 && this.isOneProcess) this.kill();
    if (what > 7) this.forwarder.restart();
  }

  /** The process that all of it is in. The next one begins with a list, and with nothing else. */
  private kill(): void {
    if (!this.faults.allow('crashes')) return;
    this.trace.push('the process is killed');
    this.workers.die();
    this.queue.empty();
    this.forwarder.restart();
  }

  private get isOneProcess(): boolean {
    const { engine = 'sqs' } = this.plan;
    return engine !== 'sqs';
  }

  /** The controllers write into the same cluster: a violation in their hands is ours all the same. */
  private guard(act: () => void): void {
    try {
      act();
    } catch (error) {
      if (!(error instanceof Violation)) throw error;
      this.violation ??= error;
    }
  }

  /** No more faults and no more users: what is unfinished is taken up again until nothing changes any more. */
  private async settle(): Promise<void> {
    this.faults.areOver = true;
    // What was begun under faults may still run out of time, and is no failure of what comes now.
    await this.answerAll();
    await this.replayer?.mend();
    await this.restMeanwhile();
    // What a forwarder has followed for long, and not what it has just listed.
    this.forwarder.forwardAll();
    this.checkSlowLane();
    const given = this.failedForReal();
    this.of.scenario.liftObstacles();
    let quiet = 0;
    for (let round = 0; round < settlingRounds && quiet < 3; round += 1) {
      const before = this.cluster.changes.length;
      this.pass(betweenListsMs);
      if (this.plan.resync !== false) this.forwarder.restart();
      await this.drain();
      this.checkSlowLane();
      const flaw = flawSeenByTools(this.cluster);
      if (flaw) this.violation ??= new Violation(flaw);
      quiet = this.cluster.changes.length === before ? quiet + 1 : 0;
    }
    if (this.violation) throw this.violation;
    if (quiet < 3) throw new Violation('it never comes to rest');
    if (this.failedForReal() > given) throw new Violation('messages fail although nothing is wrong any more');
    this.queue.checkEnd();
    await this.replayTwice();
  }

  /** What is sent again each minute is kept change by change, and must be what a list would find. */
  private checkSlowLane(): void {
    const flaw = this.forwarder.isIdle() ? this.forwarder.flawInUnfinished() : undefined;
    if (flaw) this.violation ??= new Violation(flaw);
  }

  /** Who goes on with what holds writes up holds up what is theirs alone. */
  private async restMeanwhile(): Promise<void> {
    const { scenario } = this.of;
    if (!scenario.isStubborn) return;
    for (let round = 0; round < 4; round += 1) {
      this.pass(betweenListsMs);
      this.forwarder.restart();
      await this.drain();
    }
    if (this.violation) throw this.violation;
    scenario.checkMeanwhile?.();
  }

  /** How many dead letters there are of what was really sent. */
  private failedForReal(): number {
    return this.queue.deadLetters.filter((message) => !isForged(message)).length;
  }

  /** When nothing is left to do, all that was ever sent is sent twice more: not one change may come of it. */
  private async replayTwice(): Promise<void> {
    const { replayer } = this;
    if (!replayer) return;
    const before = this.cluster.changes.length;
    for (let times = 0; times < 2; times += 1) {
      await replayer.replayAll();
      for (let drains = 0; drains < 20 && this.queue.size > 0; drains += 1) await this.drain();
    }
    if (this.violation) throw this.violation;
    if (this.cluster.changes.length > before) throw new Violation('a replay changes what was right');
  }

  private async drain(): Promise<void> {
    for (let turn = 0; turn < 400; turn += 1) {
      this.pass(2_000);
      this.guard(() => this.of.controllers.syncAll());
      this.forwarder.forwardAll();
      this.deliver();
      await this.answerAll();
      if (this.queue.size === 0 && this.workers.isIdle && this.forwarder.isIdle()) return;
    }
  }

  private async answerAll(): Promise<void> {
    await new Promise(setImmediate);
    while (this.workers.pending.length > 0) {
      this.pass(callMs);
      if (this.workers.pending.length > 0) await this.answer();
      await new Promise(setImmediate);
    }
  }
}

function queueOf({ engine = 'sqs' }: Plan): SimulatedQueue {
  if (engine === 'sqs') return new FakeQueue(maxReceives);
  return new EmbeddedQueue(maxReceives, engine === 'embedded' ? undefined : engine.create);
}
