import type { OutgoingMessage } from '../../../lib/queue/message-parts.ts';
import type { Machine } from '../../support/simulated-time.ts';
import type { Random } from '../random.ts';
import type { Term } from './term.ts';
import type { Fates } from './troubles.ts';
import type { World } from './world.ts';

const deduplicationMs = 300_000;

/** One message on its way to a queue. */
export interface Sending {
  term: Term;
  key: string;
  message: OutgoingMessage;
  body: { id: string; runid?: string };
  /** How far the cluster was when the call began. */
  begunSeq: number;
}

/** What is told of what becomes of messages. */
export interface QueueEvents {
  begun(sendings: readonly Sending[]): void;
  /** The queue has it, and did not have it before. */
  accepted(sending: Sending): void;
  /** Whoever sent them has heard what became of them, or that nothing is known of it. */
  answered(sendings: readonly Sending[], taken: readonly Sending[]): void;
  /** Who reconciles the key has it. Answers whether that is over, or is to be done again. */
  received(sending: Sending): boolean;
}

/** SQS FIFO queues, one for each function, and who reconciles what comes from them: one message of a key at a time. */
export class FakeQueues {
  private readonly world: World;
  private readonly fates: Fates;
  private readonly random: Random;
  private readonly events: QueueEvents;
  private readonly seenAt = new Map<string, number>();
  private readonly groups = new Map<string, Sending[]>();

  constructor(world: World, fates: Fates, random: Random, events: QueueEvents) {
    this.world = world;
    this.fates = fates;
    this.random = random;
    this.events = events;
  }

  get isEmpty(): boolean {
    return this.groups.size === 0;
  }

  send(term: Term, machine: Machine, messages: readonly OutgoingMessage[]): Promise<number[]> {
    const { time, state } = this.world;
    const sendings = messages.map((message) => ({ ...readMessage(message), term, message, begunSeq: state.seq }));
    this.events.begun(sendings);
    const fate = this.fates.ofSend();
    const refused = messages.flatMap((_, position) => (this.random.chance(fate.refusals) ? [position] : []));
    const taken = sendings.filter((_, position) => !refused.includes(position));
    return new Promise((resolve, reject) => {
      const answer = () =>
        machine.receive(() => {
          this.events.answered(sendings, fate.isAnswered ? taken : []);
          if (fate.isAnswered) resolve(refused);
          else reject(new Error('the queue did not answer'));
        });
      time.after(fate.takenMs, () => {
        if (fate.isTaken) for (const sending of taken) this.accept(sending);
        if (fate.answerMs === 0) answer();
        else time.after(fate.answerMs, answer);
      });
    });
  }

  /** How much waits on a function's queue; now and then a queue does not say. */
  depthOf(name: string, machine: Machine): Promise<number> {
    const { time } = this.world;
    const fate = this.fates.ofSend();
    return new Promise((resolve, reject) => {
      time.after(fate.takenMs, () =>
        machine.receive(() => {
          if (!fate.isAnswered) return reject(new Error('the queue did not answer'));
          const groups = [...this.groups].filter(([lane]) => lane.startsWith(`${name} `));
          resolve(groups.reduce((sum, [, group]) => sum + group.length, 0));
        }),
      );
    });
  }

  private accept(sending: Sending): void {
    const { function: name, deduplicationId, groupId } = sending.message;
    const id = `${name} ${deduplicationId}`;
    const seenAt = this.seenAt.get(id);
    this.world.tell(() => `queue: ${sending.key} ${sending.body.runid ?? ''}${seenAt === undefined ? '' : ' (again)'}`);
    if (seenAt !== undefined && this.world.time.nowMs - seenAt < deduplicationMs) return;
    this.seenAt.set(id, this.world.time.nowMs);
    this.events.accepted(sending);
    // Each function has a queue of its own, and so groups of its own.
    const lane = `${name} ${groupId}`;
    const group = this.groups.get(lane);
    if (group) group.push(sending);
    else {
      this.groups.set(lane, [sending]);
      this.receiveNext(lane);
    }
  }

  private receiveNext(lane: string): void {
    const delayMs = 1 + this.random.below(this.random.chance(0.8) ? 40 : 600);
    this.world.time.after(delayMs, () => {
      const group = this.groups.get(lane) ?? [];
      const first = group[0];
      if (first && this.events.received(first)) group.shift();
      if (group.length > 0) this.receiveNext(lane);
      else this.groups.delete(lane);
    });
  }
}

function readMessage({ function: name, body }: OutgoingMessage): Pick<Sending, 'key' | 'body'> {
  const event = JSON.parse(body) as { id: string; runid?: string; namespace?: string; name: string };
  return { key: `${name} ${event.namespace ? `${event.namespace}/` : ''}${event.name}`, body: event };
}
