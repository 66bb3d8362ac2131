import { createHandler } from '../../lib/reconcile/serve.ts';
import type { Step, World } from '../../lib/reconcile/step.ts';
import type { CapabilityRun } from './capability.ts';
import type { FakeCluster } from './fake-cluster.ts';
import { eventOf } from './fake-queue.ts';
import { gateOf, type Lane, type Manner, type PendingCall } from './gate.ts';
import { GatedCluster } from './gated-cluster.ts';
import type { Plan } from './plan.ts';
import type { Random } from './random.ts';
import type { SimulatedQueue, Taken } from './simulated-queue.ts';

const maxWorkers = 3;
/** How long a message stays hidden after its worker died. */
const visibilityMs = 500;
/**
 * How long a worker may take: `step-timeout-seconds` of `serverless.yml`. Without it a worker that has been forgotten for
 * minutes could go on, which no Lambda function does, and what relies on the limit could not be judged.
 */
export const timeLimitMs = 30_000;

export interface Workplace {
  plan: Plan;
  random: Random;
  cluster: FakeCluster;
  queue: SimulatedQueue;
  maxReceives: number;
  trace: string[];
  stepsFor: CapabilityRun['stepsFor'];
  beforeWrite: (call: PendingCall) => void;
  afterWrite: (call: PendingCall) => void;
  /** How many other calls are answered before this one, where the server takes its time with it. */
  holdUp?: (call: PendingCall) => number;
}

/** One invocation. */
interface Worker {
  /** What it works on; nothing where a message was delivered twice, so that only one delivery counts. */
  taken: Taken | undefined;
  startedAt: number;
}

/** The real handlers, a few at a time, each call of which waits until the simulation answers it in some manner. */
export class Workers {
  readonly pending: PendingCall[] = [];
  private readonly heldUp = new Map<PendingCall, number>();
  private readonly place: Workplace;
  private readonly working = new Map<number, Worker>();
  private count = 0;

  constructor(place: Workplace) {
    this.place = place;
  }

  get isIdle(): boolean {
    return this.working.size === 0;
  }

  /** Takes a message, or with duplicates one that was delivered before, perhaps while another worker has the same key. */
  deliver(withDuplicates: boolean): void {
    const { queue, random } = this.place;
    if (this.working.size >= maxWorkers) return;
    const taken = queue.take(this.now(), random);
    if (taken) {
      this.start(taken.message.function, eventOf(taken.message, taken.receives), taken);
    } else if (withDuplicates && queue.delivered.length > 0 && random.chance(0.3)) {
      const message = random.pick(queue.delivered);
      this.start(message.function, eventOf(message, 1), undefined);
    }
  }

  /** Answers one of the calls that wait. */
  async answer(mannerOf: (call: PendingCall) => Manner): Promise<void> {
    const { cluster, trace } = this.place;
    const call = this.takeCall();
    if (!call) return;
    const manner = mannerOf(call);
    const at = cluster.now().toISOString().slice(14, 23);
    const changes = cluster.changes.length;
    try {
      await call.answer(manner);
    } finally {
      const isChanged = cluster.changes.length > changes;
      const effect = call.writes ? ` ${isChanged ? JSON.stringify(call.body ?? '') : '(no effect)'}` : '';
      trace.push(`${at} worker ${call.worker}: ${call.verb} ${call.object}: ${manner}${call.outside ? '' : effect}`);
    }
    if (manner === 'dies before' || manner === 'dies after') this.bury(call.worker);
  }

  /** Any that is not held up; where all are, nothing else can happen in the meantime. */
  private takeCall(): PendingCall | undefined {
    const free = this.pending.filter((call) => (this.heldUp.get(call) ?? 0) === 0);
    const [call] = free.length > 0 ? [this.place.random.pick(free)] : this.pending;
    for (const [held, left] of this.heldUp) this.heldUp.set(held, Math.max(0, left - 1));
    if (!call) return undefined;
    this.heldUp.delete(call);
    this.pending.splice(this.pending.indexOf(call), 1);
    return call;
  }

  /** The process that all of them are in is gone, and with it all that they had begun. */
  die(): void {
    for (const worker of [...this.working.keys()]) this.bury(worker);
  }

  /** A Lambda function that reaches its time limit is ended, wherever it is. */
  endOverdue(): void {
    for (const [worker, { startedAt }] of this.working) {
      if (this.now() - startedAt <= timeLimitMs) continue;
      this.place.trace.push(`worker ${worker}: out of time`);
      this.bury(worker);
    }
  }

  /** A dead worker's other calls are dead too, and its message comes again. */
  private bury(worker: number): void {
    const alive = this.pending.filter((call) => call.worker !== worker);
    this.pending.splice(0, this.pending.length, ...alive);
    for (const call of [...this.heldUp.keys()]) if (call.worker === worker) this.heldUp.delete(call);
    const taken = this.working.get(worker)?.taken;
    this.working.delete(worker);
    taken?.postpone(this.now() + visibilityMs);
    taken?.failed(this.now());
  }

  private start(functionName: string, event: ReturnType<typeof eventOf>, taken: Taken | undefined): void {
    const { cluster, plan, trace, maxReceives } = this.place;
    this.count += 1;
    const worker = this.count;
    this.working.set(worker, { taken, startedAt: this.now() });
    trace.push(`worker ${worker}: ${functionName} starts`);
    const lane = this.laneOf(worker);
    const gated = new GatedCluster(cluster, lane, plan.capability.staleKinds);
    const seen = plan.mutant?.cluster?.(gated) ?? gated;
    const handler = createHandler(this.stepOf(functionName, lane), {
      cluster: async () => seen,
      forgetCredentials: () => {},
      postpone: async (_, seconds) => {
        if (this.working.has(worker)) taken?.postpone(this.now() + seconds * 1000);
      },
      maxReceives,
      log: {
        info: () => {},
        error: (_, fields) => trace.push(`worker ${worker}: ${String(fields?.error)}`),
        measure: () => {},
      },
      now: cluster.now,
    });
    void handler(event).then((answer) => this.finish(worker, answer.batchItemFailures.length > 0));
  }

  private laneOf(worker: number): Lane {
    const { cluster, beforeWrite, afterWrite } = this.place;
    const enqueue = (call: PendingCall) => {
      // The dead make no calls.
      if (!this.working.has(worker)) return;
      const others = this.place.holdUp?.(call) ?? 0;
      if (others > 0) this.heldUp.set(call, others);
      this.pending.push(call);
    };
    return { worker, startedAt: this.now(), now: cluster.now, enqueue, beforeWrite, afterWrite };
  }

  private stepOf(functionName: string, lane: Lane): Step<World> {
    const { plan, stepsFor } = this.place;
    const step = stepsFor(gateOf(lane)).find(({ name }) => name === functionName);
    if (!step) throw new Error(`${plan.capability.name} has no function ${functionName}`);
    return plan.mutant?.step?.(step) ?? step;
  }

  private finish(worker: number, failed: boolean): void {
    const taken = this.working.get(worker)?.taken;
    this.working.delete(worker);
    if (failed) taken?.failed(this.now());
    else taken?.done(this.now());
  }

  private now(): number {
    return this.place.cluster.now().getTime();
  }
}
