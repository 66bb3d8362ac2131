import type { Claim, Volume } from '../../lib/cluster/objects.ts';
import { resources } from '../../lib/cluster/resources.ts';
import { checkEnd } from './end.ts';
import { FakeCluster } from './fake-cluster.ts';
import { FakeForwarder } from './fake-forwarder.ts';
import { FakeQueue } from './fake-queue.ts';
import { FakeVolumeController } from './fake-volume-controller.ts';
import type { Manner, PendingCall } from './gated-cluster.ts';
import { Invariants, Violation } from './invariants.ts';
import type { Fault, Plan } from './plan.ts';
import { Random } from './random.ts';
import { Scenario, type UserAction } from './scenario.ts';
import { Workers } from './workers.ts';

const maxReceives = 8;
const activeTurns = 220;
const settlingRounds = 60;
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
  private readonly controller: FakeVolumeController;
  private readonly queue = new FakeQueue(maxReceives);
  private readonly forwarder: FakeForwarder;
  private readonly scenario: Scenario;
  private readonly invariants: Invariants;
  private readonly workers: Workers;
  private violation: Violation | undefined;
  private now = startTime;
  private settling = false;

  constructor(plan: Plan) {
    this.plan = plan;
    this.random = new Random(plan.seed);
    this.cluster = new FakeCluster(() => new Date(this.now));
    this.controller = new FakeVolumeController(this.cluster);
    this.forwarder = new FakeForwarder(this.cluster, (message) => this.enqueue(message));
    this.scenario = new Scenario(this.cluster, this.random);
    this.invariants = new Invariants(this.cluster);
    this.workers = new Workers({
      plan,
      random: this.random,
      cluster: this.cluster,
      queue: this.queue,
      maxReceives,
      trace: this.trace,
      beforeWrite: (call) => this.guard(() => this.invariants.beforeWrite(call)),
    });
    this.controller.syncAll();
    this.cluster.onChange = (change) => this.guard(() => this.invariants.afterChange(change));
  }

  async run(): Promise<void> {
    const script = this.script();
    for (let turn = 0; turn < activeTurns; turn += 1) {
      for (const act of script.get(turn) ?? []) act();
      await this.turn();
      if (this.violation) throw this.violation;
    }
    await this.settle();
    checkEnd(this.cluster, this.scenario, this.invariants);
  }

  /** When which user does what. What it is all about comes first, in any order. */
  private script(): Map<number, (() => void)[]> {
    const script = new Map<number, (() => void)[]>();
    const at = (turn: number, act: () => void) => script.set(turn, [...(script.get(turn) ?? []), act]);
    for (const [action, latest] of this.scenario.course()) at(this.random.below(latest), () => this.actAsUser(action));
    for (const action of this.scenario.pickActions(this.plan.mutant?.actions ?? this.plan.actions))
      at(this.random.below(activeTurns), () => this.actAsUser(action));
    return script;
  }

  private actAsUser(action: UserAction): void {
    this.trace.push(`user: ${action}`);
    if (action === 'delete source') this.invariants.beforeUserDeletesSource();
    if (action === 'strip finalizers') this.invariants.beforeUserForces();
    if (action === 'delete target') this.invariants.beforeUserDeletesTarget();
    this.guard(() => this.scenario.act(action));
  }

  /** One thing happens somewhere. */
  private async turn(): Promise<void> {
    this.now += this.random.below(40);
    const choice = this.random.next();
    if (choice < 0.5 && this.workers.pending.length > 0) await this.answer();
    else if (choice < 0.65) this.deliver();
    else if (choice < 0.85) this.forwarder.forwardOne(this.random);
    else if (choice < 0.97) this.runController();
    else this.disturb();
    // Everything that can go on without another turn does so before the next one.
    await new Promise(setImmediate);
  }

  private deliver(): void {
    this.workers.deliver(this.now, this.allows('duplicates'));
  }

  private answer(): Promise<void> {
    return this.workers.answer((call) => this.mannerOf(call));
  }

  private mannerOf(call: PendingCall): Manner {
    if (this.settling) return 'ok';
    const has = (fault: Fault, probability: number) =>
      this.plan.faults.includes(fault) && this.random.chance(probability);
    if (has('crashes', 0.04)) return this.random.chance(0.5) ? 'dies before' : 'dies after';
    if (has('lost calls', 0.03)) return this.random.chance(0.5) ? 'lost before' : 'lost after';
    if (call.writes && has('conflicts', 0.03)) return 'conflict';
    if (!call.writes && has('stale reads', 0.05)) return 'stale';
    return 'ok';
  }

  private allows(fault: Fault): boolean {
    return !this.settling && this.plan.faults.includes(fault);
  }

  private enqueue(message: Parameters<FakeQueue['send']>[0]): void {
    if (this.allows('drops') && this.random.chance(0.03)) return;
    this.queue.send(message, this.allows('reorders') && this.random.chance(0.1) ? 0 : undefined);
  }

  private runController(): void {
    this.guard(() => {
      if (this.random.chance(0.3)) {
        for (const volume of this.cluster.all<Volume>(resources.volume)) this.controller.syncVolume(volume);
        return;
      }
      const claims = this.cluster.all<Claim>(resources.claim);
      if (claims.length > 0) this.controller.syncClaim(this.random.pick(claims));
    });
  }

  private disturb(): void {
    const what = this.random.below(10);
    if (what < 3) this.now += this.random.below(4_000);
    // What was read before such a pause is too old to be relied on after it.
    if (what === 3) this.now += 6_000 + this.random.below(4_000);
    if (what > 7 && this.plan.resync !== false) this.forwarder.restart();
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
    this.settling = true;
    const given = this.queue.deadLetters.length;
    this.scenario.liftObstacles();
    let quiet = 0;
    for (let round = 0; round < settlingRounds && quiet < 3; round += 1) {
      const before = this.cluster.changes.length;
      if (this.plan.resync !== false) this.forwarder.restart();
      await this.drain();
      quiet = this.cluster.changes.length === before ? quiet + 1 : 0;
    }
    if (this.violation) throw this.violation;
    if (quiet < 3) throw new Violation('it never comes to rest');
    if (this.queue.deadLetters.length > given) throw new Violation('messages fail although nothing is wrong any more');
  }

  private async drain(): Promise<void> {
    for (let turn = 0; turn < 400; turn += 1) {
      this.now += 2_000;
      this.guard(() => this.controller.syncAll());
      this.forwarder.forwardAll();
      this.deliver();
      while (this.workers.pending.length > 0) {
        await this.answer();
        await new Promise(setImmediate);
      }
      await new Promise(setImmediate);
      if (this.queue.size === 0 && this.workers.isIdle && this.forwarder.isIdle()) return;
    }
  }
}
