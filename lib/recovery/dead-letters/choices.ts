import { type Diagnosis, finished, unprocessable } from './diagnose.ts';
import { bucketKeyOf } from './foreseen-buckets.ts';
import type { Choice } from './redrive-counts.ts';
import type { Subject } from './subject.ts';

/** What a redrive moves beyond what it moves by default. */
export interface Included {
  done: boolean;
  unprocessable: boolean;
  /** Requests to delete a Bucket. */
  deletions: boolean;
}

export const nothingIncluded: Included = { done: false, unprocessable: false, deletions: false };

/**
 * Decides what a redrive does with dead letters, in their order. A request to delete a Bucket can destroy data, so it is
 * never moved unless it is included, whatever it would do now. Later requests about that Bucket must not overtake it.
 */
export class Choices {
  private readonly included: Included;
  /** Buckets of which a request is left that would delete them. */
  private readonly undeleted = new Set<string>();

  constructor(included: Included) {
    this.included = included;
  }

  next(subject: Subject, { state }: Pick<Diagnosis, 'state'>): Choice {
    const { included } = this;
    const isFinished = finished.has(state);
    const isDeletion = subject.type === 'request' && subject.request.action === 'delete';
    // One that would be refused, or finds nothing, has nothing to be overtaken in.
    if (isDeletion && !included.deletions && !isFinished && state !== 'failing') {
      this.undeleted.add(bucketKeyOf(subject));
    }
    if (!included.done && isFinished) return 'finished';
    if (!included.unprocessable && unprocessable.has(state)) return 'unprocessable';
    if (isDeletion && !included.deletions) return 'deletion';
    const isBehind = subject.type === 'request' && this.undeleted.has(bucketKeyOf(subject));
    return isBehind ? 'behind a deletion' : 'move';
  }
}
