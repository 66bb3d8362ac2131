import { displayName, type Key } from '../kubernetes/resources.ts';
import { clippedText } from '../runtime/clipped-text.ts';
import type { FailureReason } from '../runtime/failure.ts';

/** A message that failed, of a key on a function's queue. */
export interface FailedKey {
  function: string;
  group: string;
  /** The object, if the message could be read. */
  kind?: string | undefined;
  key?: string | undefined;
  reason: FailureReason;
  /** Without credentials. */
  error: string;
}

export interface FailingKey extends FailedKey {
  since: Date;
  attempts: number;
}

/** Whoever is told how deliveries ended. */
export interface Outcomes {
  failed(failed: FailedKey): void;
  ended(functionName: string, group: string): void;
}

/** So many are remembered; all others are counted by the metrics. */
const maxKeys = 10_000;
const maxErrorLength = 300;
/** Within a minute an unfinished object comes again, and between two attempts at most a quarter of an hour passes. */
const forgottenAfterMs = 20 * 60_000;

/** The keys whose last delivery failed, until one succeeds: what fails now, and since when. */
export class FailingKeys implements Outcomes {
  private readonly now: () => Date;
  /** In the order in which they began to fail. */
  private readonly keys = new Map<string, FailingKey & { lastMs: number }>();

  constructor(now: () => Date) {
    this.now = now;
  }

  failed(failed: FailedKey): void {
    const name = nameOf(failed.function, failed.group);
    // The object reports what it waits for: it is no failure of Longshore's.
    if (failed.reason === 'Retry') return void this.keys.delete(name);
    const before = this.keys.get(name);
    if (!before && this.keys.size >= maxKeys) return;
    const now = this.now();
    const { since = now, attempts = 0 } = before ?? {};
    const error = clippedText(failed.error, maxErrorLength);
    this.keys.set(name, { ...before, ...failed, error, since, attempts: attempts + 1, lastMs: now.getTime() });
  }

  ended(functionName: string, group: string): void {
    this.keys.delete(nameOf(functionName, group));
  }

  /** Oldest first. One that no message came for any more is forgotten. */
  get all(): readonly FailingKey[] {
    const oldestMs = this.now().getTime() - forgottenAfterMs;
    for (const [name, { lastMs }] of this.keys) if (lastMs < oldestMs) this.keys.delete(name);
    return [...this.keys.values()];
  }

  /** Those of one object, whatever function works on it. */
  of(kind: string, key: Key): readonly FailingKey[] {
    const displayed = displayName(key);
    return this.all.filter((each) => each.kind === kind && each.key === displayed);
  }
}

function nameOf(functionName: string, group: string): string {
  return `${functionName} ${group}`;
}
