import type { OutgoingMessage } from '../../../lib/queue/message-parts.ts';
import type { Refusal } from '../../../lib/queue/sqs/answer.ts';
import { SendError } from '../../../lib/queue/sqs/send-error.ts';
import type { Position } from '../../../lib/recovery/replay/position.ts';
import { Replay } from '../../../lib/recovery/replay/replay.ts';
import { emptySummary } from '../../../lib/recovery/replay/summary.ts';
import type { Replays } from '../plan.ts';
import type { Random } from '../random.ts';
import type { SimulatedQueue } from '../simulated-queue.ts';
import { archivedCluster, MessageHistory } from './message-history.ts';

/** For so long a queue takes a message with the same id for the same message. */
const deduplicationMs = 5 * 60_000;
const maxWhileActive = 2;

export interface Surroundings {
  now: () => Date;
  queue: SimulatedQueue;
  random: Random;
  trace: string[];
}

/** What becomes of a call to a queue. */
type Answer = 'taken' | 'refused in part' | 'lost before' | 'lost after';

interface Pending {
  messages: OutgoingMessage[];
  answer: (answer: Answer) => void;
}

interface Running {
  replay: Replay;
  runId: string;
  /** How much of the history was there when it began. */
  segments: number;
  oncePerKey: boolean;
}

/** The archive of a run of the simulation, and the replays of it: the real ones, whose calls wait until they are answered. */
export class Replayer {
  /** Whatever is put onto queues now is lost. */
  isLosing = false;
  private readonly plan: Replays;
  private readonly place: Surroundings;
  private readonly history = new MessageHistory();
  private readonly knownUntil = new Map<string, number>();
  private pending: Pending[] = [];
  private running: Running | undefined;
  private begun = 0;

  constructor(plan: Replays, place: Surroundings) {
    this.plan = plan;
    this.place = place;
  }

  /** A queue has taken it: whatever becomes of it there, it is in the archive. */
  sent(message: OutgoingMessage): void {
    const sentAt = this.place.now();
    this.knownUntil.set(idOf(message), sentAt.getTime() + deduplicationMs);
    if (this.place.random.chance(0.1)) this.history.forge(message, sentAt, this.place.random);
    this.history.add(message, sentAt);
  }

  /** Now and then everything is replayed, twice at the most: each replay sends all that was sent before. */
  turn(): void {
    const { random, queue } = this.place;
    if (!this.running && this.begun < maxWhileActive && random.chance(0.02)) this.begin();
    this.goOn();
    if (this.plan.doQueuesLose && random.chance(0.02)) this.isLosing = !this.isLosing;
    if (this.isLosing) queue.empty();
  }

  /** Queues lose nothing more, and what they have lost is replayed, before they forget what they have taken. */
  async mend(): Promise<void> {
    this.isLosing = false;
    if (this.plan.doQueuesLose) await this.replayAll();
  }

  async replayAll(): Promise<void> {
    // One that is under way has begun with less than there is.
    await this.finish();
    this.begin();
    await this.finish();
  }

  private async finish(): Promise<void> {
    while (this.running) {
      this.goOn();
      await new Promise(setImmediate);
    }
  }

  private begin(): void {
    this.begun += 1;
    this.place.trace.push(`replay ${this.begun} begins`);
    const runId = `replay-${this.begun}`;
    this.start({ runId, segments: this.history.cut(), oncePerKey: this.place.random.chance(0.3) }, undefined);
  }

  /** Answers some of the calls that wait, in whichever manner; now and then the process is killed, and run again. */
  private goOn(): void {
    const { random } = this.place;
    if (this.running && random.chance(0.03)) this.killAndResume(this.running);
    for (let count = random.below(3); count > 0 && this.pending.length > 0; count -= 1) {
      const [call] = this.pending.splice(random.below(this.pending.length), 1);
      const answers: Answer[] = ['taken', 'taken', 'taken', 'refused in part', 'lost before', 'lost after'];
      call?.answer(random.pick(answers));
    }
  }

  private start(what: Omit<Running, 'replay'>, position: Position | undefined): void {
    const { now } = this.place;
    const { mutant } = this.plan;
    const reader = this.history.reader(what.segments);
    const pause = () => new Promise<void>((resolve) => setImmediate(resolve));
    const replay = new Replay({
      runId: what.runId,
      wish: {
        from: new Date(0),
        to: new Date(now().getTime() + 1),
        clusters: [archivedCluster],
        filter: {},
        oncePerKey: what.oncePerKey,
      },
      archive: mutant?.archive?.(reader) ?? reader,
      functions: this.history.functions,
      clock: { now, elapsedMs: () => now().getTime(), pause },
      signal: new AbortController().signal,
      since: { position, summary: emptySummary },
      offer: (_, messages) => this.offer(running, messages),
    });
    const running: Running = { ...what, replay };
    this.running = running;
    void replay.run().then(() => {
      if (this.running === running) this.running = undefined;
    });
  }

  private offer(run: Running, offered: OutgoingMessage[]): Promise<Refusal[]> {
    const originalOf = (message: OutgoingMessage) => this.history.originalOf(message, run.runId);
    const messages = this.plan.mutant?.offered?.(offered, originalOf, run.runId) ?? offered;
    // The dead make no calls.
    if (this.running?.replay !== run.replay) return new Promise(() => {});
    return new Promise((resolve, reject) => {
      const answer = (how: Answer) => {
        this.place.trace.push(`${run.runId}: ${messages.length} to ${messages[0]?.function}: ${how}`);
        const refused = (position: number) => how === 'refused in part' && position % 2 === 0;
        if (how !== 'lost before') this.take(messages.filter((_, position) => !refused(position)));
        if (how === 'lost before' || how === 'lost after') reject(new SendError('lost', { code: 'CutOff' }));
        const positions = [...messages.keys()].filter((position) => refused(position));
        const refusals = positions.map((position) => ({ position, code: 'InternalError', senderFault: false }));
        resolve(this.plan.mutant?.answered?.(refusals) ?? refusals);
      };
      this.pending.push({ messages, answer });
    });
  }

  private take(messages: readonly OutgoingMessage[]): void {
    const now = this.place.now().getTime();
    for (const message of messages) {
      const isKnown = (this.knownUntil.get(idOf(message)) ?? 0) > now;
      if (!isKnown && !this.isLosing) this.place.queue.send(message);
      if (!isKnown) this.knownUntil.set(idOf(message), now + deduplicationMs);
    }
  }

  /** What it has kept of how far it came is where it was then; what was on its way may have arrived or not. */
  private killAndResume(run: Running): void {
    const { random, trace } = this.place;
    const { mutant } = this.plan;
    trace.push(`${run.runId} is killed and goes on`);
    const { position } = run.replay;
    for (const { messages } of this.pending) if (random.chance(0.5)) this.take(messages);
    this.pending = [];
    const end = this.history.endOf(run.segments);
    this.start(run, mutant?.kept ? mutant.kept(position, end) : position);
  }
}

function idOf({ function: name, groupId, deduplicationId }: OutgoingMessage): string {
  return `${name} ${groupId} ${deduplicationId}`;
}
