import { maxCallsInFlight } from '../../queue/lane-sender.ts';
import type { OutgoingMessage } from '../../queue/message-parts.ts';
import type { OrderedEntry } from '../../queue/ordered-lane.ts';
import type { RateLimiter } from '../../queue/rate-limiter.ts';
import type { Offer } from '../../queue/send.ts';
import type { SendPolicy } from '../../queue/send-policy.ts';
import { isThrottlingCode, SendError } from '../../queue/sqs/send-error.ts';
import type { Clock } from '../../runtime/clock.ts';
import { errorText } from '../../runtime/error-text.ts';

const pauses = { firstMs: 100, maxMs: 10_000 };
/** With these pauses about five minutes in a row: then someone has to look. */
const maxFailures = 36;
/** The codes with which SQS refuses a message because of its contents. */
const aboutTheMessage = /^(InvalidMessageContents|InvalidParameterValue|MissingParameter|.*TooLong|.*TooLarge)$/;

/** Its queue has accepted it, or does not need it, or never accepts it and gives this code. */
export type Outcome = 'taken' | 'needless' | { refusal: string };

/** A message to put onto its queue. */
export interface Item extends OrderedEntry {
  readonly message: OutgoingMessage;
  readonly settled: (outcome: Outcome) => void;
}

export interface ReplaySending {
  offer: Offer;
  clock: Pick<Clock, 'pause'>;
  /** Aborts when nothing more may begin. */
  signal: AbortSignal;
  pace?: RateLimiter | undefined;
  /** Called when a queue accepts nothing for now, and is tried again. */
  onTrouble: (problem: string) => void;
  /** Called when a queue accepts nothing, and trying again does not help. */
  onFailure: (failure: unknown) => void;
}

/** The sending policy of a replay: full calls if there are enough messages, and a limited number of retries. */
export function replayPolicy(functionName: string, sending: ReplaySending): Omit<SendPolicy<Item>, 'onProgress'> {
  const { offer, clock, signal, pace, onTrouble, onFailure } = sending;
  const tryAgain = (problem: unknown, isFinal: boolean): boolean => {
    if (isFinal) onFailure(problem);
    else onTrouble(errorText(problem));
    return !isFinal;
  };
  return {
    offer: (messages) => offer(functionName, messages),
    messageOf: ({ message }) => message,
    pause: (milliseconds) => clock.pause(milliseconds, signal),
    pauses,
    maxCalls: maxCallsInFlight,
    isStopped: () => signal.aborted,
    // A call that is not full is made when no other one is in flight: messages that arrive meanwhile may fill it.
    gathering: { isOn: (calls) => calls > 0 },
    pace: pace && ((most) => pace.take(most, signal)),
    onTaken: (item) => item.settled('taken'),
    onRefused: (item, { code, senderFault }) => {
      const problem = new Error(`the queue of ${functionName} refuses messages: ${code}`);
      if (!senderFault || isThrottlingCode(code)) {
        tryAgain(problem, item.refusals >= maxFailures);
        return 'rest';
      }
      if (!aboutTheMessage.test(code)) {
        onFailure(problem);
        return 'again';
      }
      if (!item.isAlone) {
        item.isAlone = true;
        return 'again';
      }
      item.settled({ refusal: code });
      return 'settled';
    },
    triesAgain: (error, failures) => tryAgain(error, !passes(error) || failures >= maxFailures),
  };
}

/** True if trying again may help: a missing queue, or invalid credentials, stay so. */
function passes(error: unknown): boolean {
  if (!(error instanceof SendError)) return false;
  return error.isThrottled || error.status === undefined || error.status >= 500;
}
