import type { Letter } from '../../../../lib/recovery/dead-letters/letter.ts';
import type { LetterQueue } from '../../../../lib/recovery/dead-letters/letter-queue.ts';

/** Whether the call at which a process dies has reached the queue. */
export type Moment = 'before' | 'after';

/** A queue whose caller dies at its n-th call, and makes none after it. */
export function dyingAt(queue: LetterQueue, call: number, moment: Moment) {
  let calls = 0;
  const received = new Map<string, Letter>();
  const removed = new Set<string>();
  const make = async <T>(work: () => Promise<T>): Promise<T> => {
    calls += 1;
    if (calls > call || (calls === call && moment === 'before')) throw new Error('it is dead');
    const answer = await work();
    if (calls === call) throw new Error('it died');
    return answer;
  };
  const dying: LetterQueue = {
    function: queue.function,
    receive: (seconds) =>
      make(async () => {
        const letters = await queue.receive(seconds);
        for (const letter of letters) received.set(letter.messageId, letter);
        return letters;
      }),
    hide: (letters, seconds) => make(() => queue.hide(letters, seconds)),
    send: (messages) => make(() => queue.send(messages)),
    remove: (letters) =>
      make(async () => {
        const kept = await queue.remove(letters);
        for (const letter of letters) if (!kept.includes(letter)) removed.add(letter.messageId);
        return kept;
      }),
    counts: () => make(() => queue.counts()),
  };
  /** As when the time is up for which the dead one has hidden letters. */
  const letTimePass = async () => {
    for (const letter of received.values()) if (!removed.has(letter.messageId)) await queue.hide([letter], 0);
  };
  return { queue: dying, letTimePass, hasDied: () => calls >= call };
}
