import { setTimeout as pause } from 'node:timers/promises';
import { StoreError } from './errors.ts';

/** IAM answers some twenty questions a second, for a whole account. */
const most = 4;

/** The answers in the order of what is asked about. */
export async function atOnce<Item, Answer>(
  items: readonly Item[],
  ask: (item: Item) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let first = 0; first < items.length; first += most) {
    answers.push(...(await Promise.all(items.slice(first, first + most).map(ask))));
  }
  return answers;
}

const attempts = 4;
const pauseMs = 500;

/** Only for questions: what changes nothing may be asked again. */
export async function patiently<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask();
    } catch (error) {
      const isBusy = error instanceof StoreError && error.failure.result === 'unavailable';
      // What is said by ourselves, such as that there is no time left, does not change.
      if (!isBusy || error.code === 'unavailable' || attempt === attempts) throw error;
      await pause(pauseMs * attempt);
    }
  }
}
