import { setTimeout as pauseFor } from 'node:timers/promises';
import type { Api, Call, RawAnswer } from '../../lib/kubernetes/api.ts';
import { Interrupted } from '../interrupted.ts';
import { plainError } from './plain-error.ts';

/** An API server that is busy, or has just been given a kind, does nothing and says to come again, mostly in a second. */
const busy = 429;
const maxBusyAnswers = 10;
const busyPauseMs = 1_000;

export interface PatientOptions {
  /** Once it is aborted nothing more is read, and a busy server is not asked again. */
  stopped?: AbortSignal | undefined;
  pause?: (milliseconds: number, signal: AbortSignal | undefined) => Promise<unknown>;
}

/** The calls of somebody who comes again where the server says so, until Ctrl-C, and is told of failures in plain words. */
export class PatientApi implements Pick<Api, 'sendForBytes'> {
  private readonly api: Pick<Api, 'sendForBytes'>;
  private readonly stopped: AbortSignal | undefined;
  private readonly pause: NonNullable<PatientOptions['pause']>;

  constructor(api: Pick<Api, 'sendForBytes'>, { stopped, pause = pauseUnlessStopped }: PatientOptions) {
    this.api = api;
    this.stopped = stopped;
    this.pause = pause;
  }

  async sendForBytes(call: Call): Promise<RawAnswer> {
    for (let answers = 1; ; answers += 1) {
      const answer = await this.ask(call);
      if (answer.status !== busy || answers === maxBusyAnswers) return answer;
      answer.held?.release();
      await this.pause(busyPauseMs, this.stopped);
      this.refuseOnceStopped();
    }
  }

  /** Once it is stopped nothing is read any more. What is being written is, so that nothing is left half done. */
  private async ask(call: Call): Promise<RawAnswer> {
    if (call.method !== 'GET') return this.sendPlainly(call);
    this.refuseOnceStopped();
    try {
      return await this.sendPlainly(call, this.stopped);
    } catch (error) {
      this.refuseOnceStopped();
      throw error;
    }
  }

  private async sendPlainly(call: Call, signal?: AbortSignal): Promise<RawAnswer> {
    try {
      return await this.api.sendForBytes(call, signal);
    } catch (error) {
      throw plainError(error);
    }
  }

  private refuseOnceStopped(): void {
    if (this.stopped?.aborted)
      throw new Interrupted('stopped before the end: run the same command again to complete it');
  }
}

async function pauseUnlessStopped(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  await pauseFor(milliseconds, undefined, signal ? { signal } : {}).catch(() => {});
}
