import type { OutgoingMessage } from '../../queue/message-parts.ts';
import type { Item, Outcome } from './group-lane.ts';
import { QueueSender, type QueueSenderOptions } from './queue-sender.ts';

/** So much may wait before nothing more is read: enough that full calls can be made of different groups. */
const maxWaiting = 2_000;
const maxWaitingBytes = 16 * 1024 * 1024;

export type SendingOptions = Omit<QueueSenderOptions, 'onProgress'>;

/** Puts messages onto the queues of their functions, and says when to read more. */
export class Sending {
  private readonly options: SendingOptions;
  private readonly senders = new Map<string, QueueSender>();
  private waiting = { messages: 0, bytes: 0 };
  private wakes: (() => void)[] = [];

  constructor(options: SendingOptions) {
    this.options = options;
  }

  get isFull(): boolean {
    return this.waiting.messages >= maxWaiting || this.waiting.bytes >= maxWaitingBytes;
  }

  add(message: OutgoingMessage, { settled, isNeedless }: Pick<Item, 'settled' | 'isNeedless'>): void {
    // It may have become so while there was no room.
    if (isNeedless?.()) {
      settled('needless');
      return;
    }
    const bytes = message.body.length;
    this.count(1, bytes);
    const item: Item = {
      message,
      isAlone: false,
      refusals: 0,
      isNeedless,
      settled: (outcome: Outcome) => {
        this.count(-1, -bytes);
        settled(outcome);
      },
    };
    this.senderOf(message.function).add(item);
  }

  /** Resolves when there is room for more, here and by what is asked each time; or when nothing more is to be begun. */
  async room(isRoom: () => boolean): Promise<void> {
    await this.until(() => (!this.isFull && isRoom()) || this.options.signal.aborted);
  }

  /** Resolves when everything is settled, or when nothing is to be begun and everything that was begun has been answered. */
  async ended(): Promise<void> {
    await this.until(() => this.waiting.messages === 0 || (this.options.signal.aborted && !this.isCalling()));
  }

  private isCalling(): boolean {
    return [...this.senders.values()].some(({ calls }) => calls > 0);
  }

  private senderOf(functionName: string): QueueSender {
    const known = this.senders.get(functionName);
    if (known) return known;
    const sender = new QueueSender(functionName, { ...this.options, onProgress: () => this.wake() });
    this.senders.set(functionName, sender);
    return sender;
  }

  private count(messages: number, bytes: number): void {
    this.waiting.messages += messages;
    this.waiting.bytes += bytes;
  }

  private async until(condition: () => boolean): Promise<void> {
    const { signal } = this.options;
    const wake = () => this.wake();
    signal.addEventListener('abort', wake);
    while (!condition()) await new Promise<void>((resolve) => this.wakes.push(resolve));
    signal.removeEventListener('abort', wake);
  }

  private wake(): void {
    for (const wake of this.wakes.splice(0)) wake();
  }
}
