import { setTimeout as pause } from 'node:timers/promises';
import { StoreError } from './errors.ts';

/** IAM allows some twenty reads a second, for a whole account. */
const batchSize = 4;

/** Maps items in batches; results are in the order of the items. */
export async function mapInBatches<Item, Answer>(
  items: readonly Item[],
  ask: (item: Item) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let first = 0; first < items.length; first += batchSize) {
    answers.push(...(await Promise.all(items.slice(first, first + batchSize).map(ask))));
  }
  return answers;
}

const maxAttempts = 4;
const pauseMs = 500;

/** Retries a call that changes nothing. */
export async function retryRead<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask();
    } catch (error) {
      const isBusy = error instanceof StoreError && error.failure.result === 'unavailable';
      // Our own errors, such as no time left, would not change.
      if (!isBusy || error.code === 'unavailable' || attempt === maxAttempts) throw error;
      await pause(pauseMs * attempt);
    }
  }
}
