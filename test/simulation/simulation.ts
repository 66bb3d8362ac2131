import type { Claim, Volume } from '../../lib/cluster/objects.ts';
import { resources } from '../../lib/cluster/resources.ts';
import { createHandler } from '../../lib/reconcile/serve.ts';
import type { Step } from '../../lib/reconcile/step.ts';
import type { TransferWorld } from '../../lib/transfers/world.ts';
import { steps } from '../support/steps.ts';
import { checkEnd } from './end.ts';
import { FakeCluster } from './fake-cluster.ts';
import { FakeForwarder } from './fake-forwarder.ts';
import { eventOf, FakeQueue, type QueuedMessage } from './fake-queue.ts';
import { FakeVolumeController } from './fake-volume-controller.ts';
import { GatedCluster, type Manner, type PendingCall } from './gated-cluster.ts';
import { Invariants, Violation } from './invariants.ts';
import type { Fault, Plan } from './plan.ts';
import { Random } from './random.ts';
import { Scenario, type UserAction } from './scenario.ts';

const maxReceives = 8;
const mostWorkers = 3;
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
  private readonly pending: PendingCall[] = [];
  private readonly working = new Map<number, QueuedMessage | undefined>();
  private violation: Violation | undefined;
  private workers = 0;
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
    if (action === 'delete target') this.invariants.beforeUserDeletesTarget();
    this.guard(() => this.scenario.act(action));
  }

  /** One thing happens somewhere. */
  private async turn(): Promise<void> {
    this.now += this.random.below(40);
    const choice = this.random.next();
    if (choice < 0.5 && this.pending.length > 0) await this.answerCall();
    else if (choice < 0.65) this.deliver();
    else if (choice < 0.85) this.forwarder.forwardOne(this.random);
    else if (choice < 0.97) this.runController();
    else this.disturb();
    // Everything that can go on without another turn does so before the next one.
    await new Promise(setImmediate);
  }

  private async answerCall(): Promise<void> {
    const call = this.pending.splice(this.random.below(this.pending.length), 1)[0];
    if (!call) return;
    const manner = this.mannerOf(call);
    const at = new Date(this.now).toISOString().slice(14, 23);
    const changes = this.cluster.changes.length;
    await call.answer(manner);
    const effect = call.writes
      ? ` ${this.cluster.changes.length > changes ? JSON.stringify(call.body ?? '') : '(no effect)'}`
      : '';
    this.trace.push(`${at} worker ${call.worker}: ${call.verb} ${call.object}: ${manner}${effect}`);
    if (manner === 'dies before' || manner === 'dies after') this.bury(call.worker);
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

  /** A dead worker's other calls are dead too, and its message comes again. */
  private bury(worker: number): void {
    for (let index = this.pending.length - 1; index >= 0; index -= 1) {
      if (this.pending[index]?.worker === worker) this.pending.splice(index, 1);
    }
    const queued = this.working.get(worker);
    this.working.delete(worker);
    if (queued) {
      queued.visibleAt = this.now + 500;
      this.queue.failed(queued);
    }
  }

  private deliver(): void {
    if (this.working.size >= mostWorkers) return;
    const ready = this.queue.deliverable(this.now);
    if (ready.length > 0) {
      const queued = this.random.pick(ready);
      this.work(queued.message.function, this.queue.receive(queued), queued);
    } else if (this.allows('duplicates') && this.queue.delivered.length > 0 && this.random.chance(0.3)) {
      // A message that was delivered before comes once more, perhaps while another worker has the same key.
      const message = this.random.pick(this.queue.delivered);
      this.work(message.function, eventOf(message, 1), undefined);
    }
  }

  private allows(fault: Fault): boolean {
    return !this.settling && this.plan.faults.includes(fault);
  }

  private work(functionName: string, event: ReturnType<typeof eventOf>, queued: QueuedMessage | undefined): void {
    this.workers += 1;
    const worker = this.workers;
    this.working.set(worker, queued);
    this.trace.push(`worker ${worker}: ${functionName} starts`);
    const gated = new GatedCluster(
      this.cluster,
      worker,
      (call) => this.pending.push(call),
      (call) => this.guard(() => this.invariants.beforeWrite(call)),
    );
    const cluster = this.plan.mutant?.cluster?.(gated) ?? gated;
    const handler = createHandler(this.stepOf(functionName), {
      cluster: async () => cluster,
      forgetCredentials: () => {},
      postpone: async (_, seconds) => {
        if (queued) queued.visibleAt = this.now + seconds * 1000;
      },
      maxReceives,
      log: {
        info: () => {},
        error: (_, fields) => this.trace.push(`worker ${worker}: ${String(fields?.error)}`),
        measure: () => {},
      },
      now: () => new Date(this.now),
    });
    void handler(event).then((answer) => this.finish(worker, answer.batchItemFailures.length > 0));
  }

  private finish(worker: number, failed: boolean): void {
    const queued = this.working.get(worker);
    this.working.delete(worker);
    if (!queued) return;
    if (failed) this.queue.failed(queued);
    else this.queue.done(queued);
  }

  private stepOf(functionName: string): Step<TransferWorld> {
    const step = steps.find(({ name }) => name === functionName);
    if (!step) throw new Error(`there is no function ${functionName}`);
    return this.plan.mutant?.step?.(step) ?? step;
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
  }

  private async drain(): Promise<void> {
    for (let turn = 0; turn < 400; turn += 1) {
      this.now += 2_000;
      this.guard(() => this.controller.syncAll());
      this.forwarder.forwardAll();
      this.deliver();
      while (this.pending.length > 0) {
        await this.answerCall();
        await new Promise(setImmediate);
      }
      await new Promise(setImmediate);
      if (this.queue.size === 0 && this.working.size === 0 && this.forwarder.isIdle()) return;
    }
  }
}
