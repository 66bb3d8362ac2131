import type { DeadLetter } from '../../../../lib/recovery/dead-letters/dead-letter.ts';
import type { DeadLetterQueue } from '../../../../lib/recovery/dead-letters/dead-letter-queue.ts';

/** Whether the call at which a process dies has reached the queue. */
export type Moment = 'before' | 'after';

/** A queue whose caller dies at its n-th call, and makes none after it. */
export function dyingAt(queue: DeadLetterQueue, call: number, moment: Moment) {
  let calls = 0;
  const received = new Map<string, DeadLetter>();
  const removed = new Set<string>();
  const make = async <T>(work: () => Promise<T>): Promise<T> => {
    calls += 1;
    if (calls > call || (calls === call && moment === 'before')) throw new Error('it is dead');
    const answer = await work();
    if (calls === call) throw new Error('it died');
    return answer;
  };
  const dying: DeadLetterQueue = {
    function: queue.function,
    receive: (seconds) =>
      make(async () => {
        const deadLetters = await queue.receive(seconds);
        for (const deadLetter of deadLetters) received.set(deadLetter.messageId, deadLetter);
        return deadLetters;
      }),
    hide: (deadLetters, seconds) => make(() => queue.hide(deadLetters, seconds)),
    send: (messages) => make(() => queue.send(messages)),
    remove: (deadLetters) =>
      make(async () => {
        const kept = await queue.remove(deadLetters);
        for (const deadLetter of deadLetters) if (!kept.includes(deadLetter)) removed.add(deadLetter.messageId);
        return kept;
      }),
    counts: () => make(() => queue.counts()),
  };
  /** As when the time is up for which the dead one has hidden letters. */
  const letTimePass = async () => {
    for (const deadLetter of received.values())
      if (!removed.has(deadLetter.messageId)) await queue.hide([deadLetter], 0);
  };
  return { queue: dying, letTimePass, hasDied: () => calls >= call };
}
