import type { OutgoingMessage } from '../../../../lib/queue/message-parts.ts';
import type { Offer } from '../../../../lib/queue/send.ts';
import type { Refusal } from '../../../../lib/queue/sqs/answer.ts';
import { SendError } from '../../../../lib/queue/sqs/send-error.ts';

/** What becomes of a call, or of a message where it is a number: every so many-th of the call is refused. */
export type Fate = 'taken' | 'lost before' | 'lost after' | number;

/** A queue that takes what it is told to, and sees to it that nothing is offered that could come out of order. */
export class UnrulyQueue {
  readonly taken: OutgoingMessage[] = [];
  readonly calls: OutgoingMessage[][] = [];
  maxAtOnce = 0;
  private atOnce = 0;
  private readonly groups = new Set<string>();
  private readonly fates: Iterator<Fate>;

  /** When there are no more fates, all is taken. */
  constructor(fates: readonly Fate[] = []) {
    this.fates = fates.values();
  }

  readonly offer: Offer = async (functionName, messages) => {
    const groups = messages.map(({ groupId }) => `${functionName} ${groupId}`);
    this.begin(messages, groups);
    const fate = this.fates.next().value ?? 'taken';
    // Calls are answered in another order than they were made in.
    for (let turns = this.calls.length % 3; turns >= 0; turns -= 1) await new Promise(setImmediate);
    for (const group of groups) this.groups.delete(group);
    this.atOnce -= 1;
    const refused = (position: number) => typeof fate === 'number' && position % fate === fate - 1;
    if (fate !== 'lost before') this.taken.push(...messages.filter((_, position) => !refused(position)));
    if (fate === 'lost before' || fate === 'lost after') throw new SendError('the call was lost', { code: 'CutOff' });
    return messages.flatMap((_, position): Refusal[] =>
      refused(position) ? [{ position, code: 'InternalError', senderFault: false }] : [],
    );
  };

  private begin(messages: OutgoingMessage[], groups: string[]): void {
    if (messages.length === 0 || messages.length > 10) throw new Error(`a call of ${messages.length} messages`);
    if (new Set(groups).size < groups.length) throw new Error('two messages of one group are in one call');
    if (groups.some((group) => this.groups.has(group))) throw new Error('two messages of one group are on their way');
    for (const group of groups) this.groups.add(group);
    this.calls.push(messages);
    this.atOnce += 1;
    this.maxAtOnce = Math.max(this.maxAtOnce, this.atOnce);
  }
}
