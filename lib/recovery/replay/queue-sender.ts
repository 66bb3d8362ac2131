import type { Offer } from '../../queue/send.ts';
import type { Refusal } from '../../queue/sqs/answer.ts';
import { isThrottlingCode, SendError } from '../../queue/sqs/send-error.ts';
import { type Clock, pauseAfter } from '../../runtime/clock.ts';
import { errorText } from '../../runtime/error-text.ts';
import { GroupLane, type Item, type Outcome } from './group-lane.ts';

/** SQS takes no more messages in one call. */
const batchSize = 10;
const maxCallsInFlight = 32;
const pauses = { firstMs: 100, maxMs: 10_000 };
/** With these pauses about five minutes in a row: then somebody has to look. */
const maxFailures = 36;
/** The codes by which SQS refuses a message for what it is. */
const aboutTheMessage = /^(InvalidMessageContents|InvalidParameterValue|MissingParameter|.*TooLong|.*TooLarge)$/;

export interface QueueSenderOptions {
  offer: Offer;
  clock: Pick<Clock, 'pause'>;
  /** Aborts when nothing more is to be begun. */
  signal: AbortSignal;
  /** A queue takes nothing for now, and is tried again. */
  onTrouble: (problem: string) => void;
  /** A queue takes nothing, and trying again does not help. */
  onFailure: (failure: unknown) => void;
  /** Something has moved. */
  onProgress: () => void;
}

/** Sends what waits for one queue: in full calls as far as there is enough, several at a time. */
export class QueueSender {
  calls = 0;
  private readonly functionName: string;
  private readonly options: QueueSenderOptions;
  private readonly lane = new GroupLane();
  private failures = 0;
  private isResting = false;
  private isDue = false;

  constructor(functionName: string, options: QueueSenderOptions) {
    this.functionName = functionName;
    this.options = options;
  }

  add(item: Item): void {
    this.lane.add(item);
    if (this.isDue) return;
    // What is read in one piece goes out together.
    this.isDue = true;
    setImmediate(() => {
      this.isDue = false;
      this.send();
    });
  }

  /** A call that is not full goes when no other one is on its way: what comes meanwhile may fill it. */
  private send(): void {
    while (!this.isResting && !this.options.signal.aborted && this.calls < maxCallsInFlight) {
      if (this.lane.readyCount < (this.calls === 0 ? 1 : batchSize)) return;
      this.begin(this.lane.take(batchSize));
    }
  }

  private begin(batch: Item[]): void {
    this.calls += 1;
    void this.call(batch).then(() => {
      this.calls -= 1;
      this.send();
      this.options.onProgress();
    });
  }

  private async call(batch: Item[]): Promise<void> {
    try {
      const messages = batch.map(({ message }) => message);
      const refusals = await this.options.offer(this.functionName, messages);
      this.failures = 0;
      const refused = new Map(refusals.map((refusal) => [refusal.position, refusal]));
      for (const [position, item] of batch.entries()) {
        const refusal = refused.get(position);
        if (refusal) this.refuse(item, refusal);
        else this.settle(item, 'taken');
      }
    } catch (error) {
      this.lane.putBack(batch);
      this.fail(error);
    }
  }

  /** By what has become of it the next one of its group may be needless. */
  private settle(item: Item, outcome: Outcome): void {
    item.settled(outcome);
    this.lane.finish(item);
  }

  private refuse(item: Item, { code, senderFault }: Refusal): void {
    const isFinal = senderFault && !isThrottlingCode(code);
    const problem = new Error(`the queue of ${this.functionName} refuses messages: ${code}`);
    if (isFinal && !aboutTheMessage.test(code)) {
      this.lane.putBack([item]);
      this.options.onFailure(problem);
    } else if (isFinal && item.isAlone) {
      this.settle(item, { refusal: code });
    } else if (isFinal) {
      item.isAlone = true;
      this.lane.putBack([item]);
    } else {
      this.restOne(item, problem);
    }
  }

  /** The others of its call need not wait for it, but those of its group do. */
  private restOne(item: Item, problem: Error): void {
    const { clock, signal, onTrouble, onFailure } = this.options;
    item.refusals += 1;
    if (item.refusals >= maxFailures) onFailure(problem);
    else onTrouble(problem.message);
    void clock.pause(pauseAfter(item.refusals, pauses), signal).then(() => {
      this.lane.putBack([item]);
      this.send();
    });
  }

  /** Of several calls that fail together, one counts. */
  private fail(error: unknown): void {
    const { clock, signal, onTrouble, onFailure } = this.options;
    if (this.isResting) return;
    this.failures += 1;
    if (!passes(error) || this.failures >= maxFailures) {
      onFailure(error);
      return;
    }
    onTrouble(errorText(error));
    this.isResting = true;
    void clock.pause(pauseAfter(this.failures, pauses), signal).then(() => {
      this.isResting = false;
      this.send();
    });
  }
}

/** Whether trying again may help: a queue that is not there, or keys that are not good, stay so. */
function passes(error: unknown): boolean {
  if (!(error instanceof SendError)) return false;
  return error.isThrottled || error.status === undefined || error.status >= 500;
}
