import { ElectedForwarder, type ElectedForwarderOptions } from '../../../lib/forwarder/elected-forwarder.ts';
import type { Acquiring } from '../../../lib/forwarder/lease.ts';
import { Machine, type MachineOptions } from '../../support/simulated-time.ts';
import { cluster } from './causes.ts';
import { kinds } from './kinds.ts';
import { MachineApi } from './machine-api.ts';
import { runIdsOf } from './run-ids.ts';
import type { Stage } from './stage.ts';
import type { Term } from './term.ts';

/** What functions/forward leaves of its time for the end of a run. */
const timeToFinishMs = 10_000;
const pauseAfterFailureMs = 2_000;

/** A process with a forwarder in it, on a machine of its own. */
export class ForwarderProcess {
  readonly machine: Machine;
  isOver = false;
  private readonly name: string;
  private readonly stage: Stage;
  private readonly stop = new AbortController();
  private term: Term | undefined;
  private terms = 0;
  private stoppedUntilMs = 0;

  constructor(name: string, stage: Stage, options: MachineOptions) {
    this.name = name;
    this.stage = stage;
    this.machine = new Machine(stage.world.time, options);
  }

  get isAlive(): boolean {
    return !this.isOver && !this.machine.isKilled;
  }

  /** The term that forwards now, if this process does. */
  get leading() {
    return this.isAlive ? this.term?.lead.term : undefined;
  }

  /** As cli/forward.ts: one term after the other, until it is told to stop. */
  async last(): Promise<void> {
    const { signal } = this.stop;
    while (!signal.aborted) {
      if (!(await this.run({ signal }))) await this.machine.clock.pause(pauseAfterFailureMs, signal);
    }
    this.isOver = true;
  }

  /** As functions/forward: one run, which ends by itself. */
  async runFor(runMs: number, maxWaitMs: number): Promise<void> {
    this.stage.world.time.after(runMs, () => this.release());
    const now = this.machine.clock.now().getTime();
    const [endsAt, giveUpAfter] = [new Date(now + runMs), new Date(now + Math.min(runMs, maxWaitMs))];
    await this.run({ signal: this.stop.signal, endsAt, giveUpAfter });
    this.isOver = true;
  }

  kill(): void {
    this.stage.world.tell(() => `${this.name} is killed`);
    this.machine.kill();
    this.term?.api.close();
  }

  stopFor(milliseconds: number): void {
    const { world } = this.stage;
    world.tell(() => `${this.name} is stopped for ${milliseconds} ms`);
    this.stoppedUntilMs = world.time.nowMs + milliseconds;
    this.machine.stopFor(milliseconds);
  }

  release(): void {
    this.machine.receive(() => {
      if (this.isOver || this.stop.signal.aborted) return;
      const { world } = this.stage;
      world.tell(() => `${this.name} is told to end`);
      const { term } = this;
      const sinceMs = world.time.nowMs;
      this.stop.abort();
      world.time.after(timeToFinishMs, () => {
        // A process that was stopped meanwhile is excused.
        if (this.machine.isKilled || this.stoppedUntilMs > sinceMs || !term || term.isOver) return;
        world.violate('a run goes on for longer than it has time');
      });
    });
  }

  /** Answers whether it ended well. */
  private async run(acquiring: Acquiring): Promise<boolean> {
    const { world, judge } = this.stage;
    const term = this.begin();
    judge.begin(term);
    let isWell = false;
    try {
      const outcome = await term.lead.run(acquiring);
      world.tell(() => `${term.name} is over: ${outcome}`);
      isWell = true;
    } catch (error) {
      world.tell(() => `${term.name} failed: ${String(error)}`);
      world.checkError(error);
    }
    term.isOver = true;
    judge.ended(term, isWell);
    return isWell;
  }

  private begin(): Term {
    const { world, fates, server, queues, store, mutant, takesTurns, isLimited } = this.stage;
    const { machine } = this;
    this.terms += 1;
    const name = `${this.name}.${this.terms}`;
    const api = new MachineApi({ world, server, fates, machine });
    const term = { name, api, machine, isOver: false } as Term;
    const log = (message: string, fields: { error?: unknown } = {}) => {
      world.tell(() => `${name}: ${message} ${JSON.stringify(fields)}`);
      world.checkError(fields.error);
    };
    const options: ElectedForwarderOptions = {
      cluster,
      api,
      identity: 'simulation',
      holder: name,
      send: (_, messages) => queues.send(term, machine, messages),
      depthOf: takesTurns ? (name) => queues.depthOf(name, machine) : undefined,
      // So few that a handful of objects has to wait for its turns.
      window: { ownMessages: 1, minWindow: 1 },
      ...(isLimited ? { maxFanOut: 1 } : {}),
      store: store?.for(machine),
      clock: machine.clock,
      log: { info: log, error: log, measure: () => {} },
      resources: kinds,
      // So few that a list of a handful of objects comes up in parts.
      maxReady: 2,
      ...runIdsOf(name, machine.clock),
    };
    const surrounded = mutant?.surround?.(options, world) ?? options;
    term.lead = new ElectedForwarder(surrounded);
    this.term = term;
    return term;
  }
}
