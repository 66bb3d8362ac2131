import type { Answer } from '../../../lib/kubernetes/connection.ts';
import { ClusterError } from '../../../lib/kubernetes/errors.ts';
import type { Machine, Time } from '../../support/simulated-time.ts';
import { failure, type LeaseCall, type LeaseServer } from './lease-server.ts';

/** The connection gives up a request after this long; nothing is under way for longer. */
export const maxUnderWayMs = 15_000;

/** What becomes of one request and of its answer, each of which is lost where there is no delay. */
export interface Fate {
  requestMs: number | undefined;
  answerMs: number | undefined;
  /** The server's answer instead of what it was asked for. */
  refusal?: 429 | 500 | undefined;
}

export const smooth: Fate = { requestMs: 5, answerMs: 5 };

/** The way to the server, as one machine has it. */
export interface Network {
  send(call: LeaseCall): Promise<Answer>;
}

export function networkOf(time: Time, machine: Machine, server: LeaseServer, fateOfNext: () => Fate): Network {
  const send = (call: LeaseCall) => {
    // What is sent is what it is now, whatever becomes of the objects later.
    const sent = structuredClone(call);
    const { requestMs, answerMs, refusal } = fateOfNext();
    return new Promise<Answer>((resolve, reject) => {
      const giveUp = () => machine.receive(() => reject(new ClusterError('unreachable', 'nothing was answered')));
      time.after(maxUnderWayMs, giveUp);
      if (requestMs === undefined) return;
      time.after(requestMs, () => {
        const answer = refusal ? failure(refusal, 'Refused') : server.handle(sent);
        if (answerMs !== undefined) time.after(answerMs, () => machine.receive(() => resolve(answer)));
      });
    });
  };
  return { send };
}
