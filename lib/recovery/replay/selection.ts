import type { ArchivedMessage } from '../../archive/archived-message.ts';
import { isInRange } from '../../archive/read-archive.ts';
import type { Envelope } from '../../queue/envelope.ts';
import { isMeant, isOfCluster } from './filter.ts';
import type { Counting } from './ledger.ts';
import { OncePerKey } from './once-per-key.ts';
import type { Outcome } from './replay-policy.ts';
import { type ReplaySpec, refusalOf } from './spec.ts';

const notAtAll: Counting = () => {};
const asOther: Counting = (counter) => counter.countOther();
const asRepeated: Counting = (counter) => counter.countRepeated();

export interface SelectionOptions {
  wish: ReplaySpec;
  /** The functions that have a queue. */
  functions: readonly string[];
  isDryRun: boolean;
}

/** Decides which messages are sent, and how each is counted, sent or not. */
export class Selection {
  private readonly wish: ReplaySpec;
  private readonly functions: ReadonlySet<string>;
  private readonly isDryRun: boolean;
  private readonly once: OncePerKey | undefined;

  constructor({ wish, functions, isDryRun }: SelectionOptions) {
    this.wish = wish;
    this.functions = new Set(functions);
    this.isDryRun = isDryRun;
    this.once = wish.oncePerKey ? new OncePerKey() : undefined;
  }

  /** Returns how a message from the archive of this cluster is counted if it is not sent; undefined if it is. */
  unsent(message: ArchivedMessage, envelope: Envelope, cluster: string): Counting | undefined {
    const { function: name } = message;
    if (!isInRange(this.wish, message)) return notAtAll;
    if (!isMeant(this.wish.filter, message, envelope.object) || !isOfCluster(cluster, envelope.object)) return asOther;
    if (!this.functions.has(name)) return (counter) => counter.countNoQueue(name);
    const refusal = refusalOf(message);
    if (refusal !== undefined) return (counter) => counter.countRefused(name, refusal);
    if (this.isNeedless(message, envelope)) return asRepeated;
    return this.isDryRun ? this.settled(message, envelope, 'taken') : undefined;
  }

  /** True if another message for the same key has been accepted, and one is sufficient. */
  isNeedless(message: ArchivedMessage, envelope: Envelope): boolean {
    return this.once?.hasHad(message, envelope) ?? false;
  }

  /** Returns how a message with this outcome is counted. */
  settled(message: ArchivedMessage, envelope: Envelope, outcome: Outcome): Counting {
    const { function: name, sentAt } = message;
    if (outcome === 'needless') return asRepeated;
    if (outcome !== 'taken') return (counter) => counter.countRefused(name, outcome.refusal);
    this.once?.taken(message, envelope);
    return (counter) => counter.countReplayed({ function: name, sentAt }, envelope.object.kind);
  }
}
