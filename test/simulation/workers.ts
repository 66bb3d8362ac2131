import { createHandler } from '../../lib/reconcile/serve.ts';
import type { Step } from '../../lib/reconcile/step.ts';
import type { TransferWorld } from '../../lib/transfers/world.ts';
import { steps } from '../support/steps.ts';
import type { FakeCluster } from './fake-cluster.ts';
import { eventOf, type FakeQueue, type QueuedMessage } from './fake-queue.ts';
import { GatedCluster, type Manner, type PendingCall } from './gated-cluster.ts';
import type { Plan } from './plan.ts';
import type { Random } from './random.ts';

const mostWorkers = 3;
/** How long a message stays hidden after its worker died. */
const visibilityMs = 500;

export interface Workplace {
  plan: Plan;
  random: Random;
  cluster: FakeCluster;
  queue: FakeQueue;
  maxReceives: number;
  trace: string[];
  beforeWrite: (call: PendingCall) => void;
}

/** The real handlers, a few at a time, each call of which waits until the simulation answers it in some manner. */
export class Workers {
  readonly pending: PendingCall[] = [];
  private readonly place: Workplace;
  private readonly working = new Map<number, QueuedMessage | undefined>();
  private count = 0;

  constructor(place: Workplace) {
    this.place = place;
  }

  get isIdle(): boolean {
    return this.working.size === 0;
  }

  /** Takes a message, or with duplicates one that was delivered before, perhaps while another worker has the same key. */
  deliver(now: number, withDuplicates: boolean): void {
    const { queue, random } = this.place;
    if (this.working.size >= mostWorkers) return;
    const ready = queue.deliverable(now);
    if (ready.length > 0) {
      const queued = random.pick(ready);
      this.start(queued.message.function, queue.receive(queued), queued);
    } else if (withDuplicates && queue.delivered.length > 0 && random.chance(0.3)) {
      const message = random.pick(queue.delivered);
      this.start(message.function, eventOf(message, 1), undefined);
    }
  }

  /** Answers one of the calls that wait. */
  async answer(mannerOf: (call: PendingCall) => Manner): Promise<void> {
    const { random, cluster, trace } = this.place;
    const call = this.pending.splice(random.below(this.pending.length), 1)[0];
    if (!call) return;
    const manner = mannerOf(call);
    const at = cluster.now().toISOString().slice(14, 23);
    const changes = cluster.changes.length;
    await call.answer(manner);
    const isChanged = cluster.changes.length > changes;
    const effect = call.writes ? ` ${isChanged ? JSON.stringify(call.body ?? '') : '(no effect)'}` : '';
    trace.push(`${at} worker ${call.worker}: ${call.verb} ${call.object}: ${manner}${effect}`);
    if (manner === 'dies before' || manner === 'dies after') this.bury(call.worker);
  }

  /** A dead worker's other calls are dead too, and its message comes again. */
  private bury(worker: number): void {
    const { queue, cluster } = this.place;
    const alive = this.pending.filter((call) => call.worker !== worker);
    this.pending.splice(0, this.pending.length, ...alive);
    const queued = this.working.get(worker);
    this.working.delete(worker);
    if (!queued) return;
    queued.visibleAt = cluster.now().getTime() + visibilityMs;
    queue.failed(queued);
  }

  private start(functionName: string, event: ReturnType<typeof eventOf>, queued: QueuedMessage | undefined): void {
    const { cluster, plan, trace, beforeWrite, maxReceives } = this.place;
    this.count += 1;
    const worker = this.count;
    this.working.set(worker, queued);
    trace.push(`worker ${worker}: ${functionName} starts`);
    const gated = new GatedCluster(cluster, worker, (call) => this.pending.push(call), beforeWrite);
    const seen = plan.mutant?.cluster?.(gated) ?? gated;
    const handler = createHandler(this.stepOf(functionName), {
      cluster: async () => seen,
      forgetCredentials: () => {},
      postpone: async (_, seconds) => {
        if (queued) queued.visibleAt = cluster.now().getTime() + seconds * 1000;
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

  private finish(worker: number, failed: boolean): void {
    const queued = this.working.get(worker);
    this.working.delete(worker);
    if (!queued) return;
    if (failed) this.place.queue.failed(queued);
    else this.place.queue.done(queued);
  }

  private stepOf(functionName: string): Step<TransferWorld> {
    const step = steps.find(({ name }) => name === functionName);
    if (!step) throw new Error(`there is no function ${functionName}`);
    return this.place.plan.mutant?.step?.(step) ?? step;
  }
}
