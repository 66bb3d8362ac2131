import type { ArchivedMessage } from '../../archive/archived-message.ts';
import type { Count, Damage, NoQueue, Refused, Summary } from './summary.ts';

/** A manipulated archive can contain any number of kinds and functions: only this many are counted. */
const maxCounted = 500;
const maxDamagedNamed = 100;
const allOthers = '(others)';
/** Kinds and names of functions have this form; nothing else is printed on a terminal. */
const plainName = /^[A-Za-z][A-Za-z0-9-]{0,62}$/;

interface Times {
  function: string;
  kind: string;
  messages: number;
  firstMs: number;
  lastMs: number;
}

/** Counts the outcome of each message. */
export class OutcomeCounter {
  /** The number of messages put onto their queues. */
  replayed = 0;
  private readonly counts: Map<string, Times>;
  private readonly noQueue: Map<string, NoQueue>;
  private readonly refused: Map<string, Refused>;
  private readonly damaged: Damage[];
  private moreDamaged: number;
  private others: number;
  private repeated: number;

  /** Continues from earlier counts. */
  constructor(before: Summary) {
    const counts = before.replayed.map(({ first, last, ...rest }) => {
      return { ...rest, firstMs: Date.parse(first), lastMs: Date.parse(last) };
    });
    this.counts = byName(counts, keyOfCount);
    this.noQueue = byName(before.noQueue, keyOfNoQueue);
    this.refused = byName(before.refused, keyOfRefused);
    this.damaged = [...before.damaged];
    this.moreDamaged = before.moreDamaged;
    this.others = before.others;
    this.repeated = before.repeated;
    this.replayed = counts.reduce((total, { messages }) => total + messages, 0);
  }

  countReplayed(message: Pick<ArchivedMessage, 'function' | 'sentAt'>, kind: string | undefined): void {
    const time = message.sentAt.getTime();
    const fresh = { function: message.function, kind: plain(kind, '(none)'), messages: 0, firstMs: time, lastMs: time };
    const count = counted(this.counts, fresh, keyOfCount, { function: allOthers, kind: allOthers });
    count.firstMs = Math.min(count.firstMs, time);
    count.lastMs = Math.max(count.lastMs, time);
    this.replayed += 1;
  }

  countOther(): void {
    this.others += 1;
  }

  countRepeated(): void {
    this.repeated += 1;
  }

  countNoQueue(functionName: string): void {
    const fresh = { function: plain(functionName, '(no name)'), messages: 0 };
    counted(this.noQueue, fresh, keyOfNoQueue, { function: allOthers });
  }

  countRefused(functionName: string, code: string): void {
    counted(this.refused, { function: functionName, code, messages: 0 }, keyOfRefused, { code: allOthers });
  }

  /** A resumed run may find the same one again. */
  note(damage: Damage): void {
    if (this.damaged.some(({ segment }) => segment === damage.segment)) return;
    if (this.damaged.length < maxDamagedNamed) this.damaged.push(damage);
    else this.moreDamaged += 1;
  }

  get summary(): Summary {
    const replayed = [...this.counts.values()].map(({ firstMs, lastMs, ...rest }): Count => {
      return { ...rest, first: new Date(firstMs).toISOString(), last: new Date(lastMs).toISOString() };
    });
    return {
      replayed: replayed.sort((one, other) => (keyOfCount(one) < keyOfCount(other) ? -1 : 1)),
      others: this.others,
      repeated: this.repeated,
      noQueue: [...this.noQueue.values()].map((each) => ({ ...each })),
      refused: [...this.refused.values()].map((each) => ({ ...each })),
      damaged: [...this.damaged],
      moreDamaged: this.moreDamaged,
    };
  }
}

/** The count of this name, increased by one. */
function counted<T extends { messages: number }>(
  counts: Map<string, T>,
  fresh: T,
  keyOf: (of: T) => string,
  beyond: Partial<T>,
): T {
  const found = counts.get(keyOf(fresh)) ?? added(counts, fresh, keyOf, beyond);
  found.messages += 1;
  return found;
}

function added<T>(counts: Map<string, T>, fresh: T, keyOf: (of: T) => string, beyond: Partial<T>): T {
  const count = counts.size < maxCounted ? fresh : { ...fresh, ...beyond };
  const known = counts.get(keyOf(count)) ?? count;
  counts.set(keyOf(count), known);
  return known;
}

function byName<T extends object>(counts: readonly T[], keyOf: (of: T) => string): Map<string, T> {
  return new Map(counts.map((count) => [keyOf(count), { ...count }]));
}

function keyOfCount({ function: name, kind }: Pick<Count, 'function' | 'kind'>): string {
  return `${name} ${kind}`;
}

function keyOfNoQueue({ function: name }: NoQueue): string {
  return name;
}

function keyOfRefused({ function: name, code }: Refused): string {
  return `${name} ${code}`;
}

function plain(name: string | undefined, otherwise: string): string {
  return name !== undefined && plainName.test(name) ? name : otherwise;
}
