import { setTimeout as pause } from 'node:timers/promises';
import { onStop } from '../../lib/runtime/stop-signals.ts';
import { ConfirmationPrompt } from '../terminal/confirmation-prompt.ts';
import { note, say } from '../terminal/say.ts';
import { Stages } from '../terminal/stages.ts';
import { lineWidth } from '../terminal/width.ts';
import { folded } from '../terminal/wrap.ts';

/** Whoever called the command: what they are told, what they are asked, and whether they have had enough. */
export interface User {
  /** Results, which may be piped elsewhere. On a terminal sentences are folded, and a document is not. */
  tell(text: string, isDocument?: boolean): void;
  /** What is only for those who look on. */
  remark(text: string): void;
  progress: Stages;
  /** True if the answer is exactly these words. */
  confirm(question: string, words: string): Promise<boolean>;
  /** Aborted by Ctrl-C, from the first time that it is asked for: before that, Ctrl-C simply ends the process. */
  readonly stopped: AbortSignal;
  pause(milliseconds: number): Promise<void>;
  nowMs(): number;
}

export function userOfProcess(): User {
  let stopped: AbortSignal | undefined;
  const signal = () => {
    stopped ??= signalOfStop();
    return stopped;
  };
  return {
    tell: (text, isDocument = false) => (isDocument ? console.log(text) : say(text)),
    remark: note,
    progress: new Stages(process.stderr),
    confirm: async (question, words) => {
      const prompt = new ConfirmationPrompt(signal());
      try {
        return await prompt.confirm(folded(question, lineWidth(process.stderr)), words);
      } finally {
        prompt.close();
      }
    },
    get stopped() {
      return signal();
    },
    pause: (milliseconds) => pause(milliseconds, undefined, { signal: signal() }).catch(() => {}),
    nowMs: () => performance.now(),
  };
}

function signalOfStop(): AbortSignal {
  const stop = new AbortController();
  onStop(() => stop.abort());
  return stop.signal;
}
