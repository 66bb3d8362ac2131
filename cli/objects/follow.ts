import { isClusterError } from '../../lib/kubernetes/errors.ts';
import { errorText } from '../../lib/runtime/error-text.ts';
import type { User } from './user.ts';

/** What an object says of its progress, as far as it was seen. */
export interface Progress {
  isOver?: boolean;
  /** It cannot come to a good end any more. */
  problem?: string | undefined;
  /** A few words for the line that changes. */
  stage: string;
  /** Sentences that stay, each told when it is first said after another one. */
  lines: readonly string[];
  /** Nothing has been said yet: the object looks as it did when it was made. */
  isSilent?: boolean;
}

/** How it ended: `late` is the time limit, `stopped` Ctrl-C. */
export type Ending = { is: 'over' } | { is: 'problem'; problem: string } | { is: 'late' } | { is: 'stopped' };

const silentMs = 15_000;
const silence =
  'Nothing has been reported for 15 s. If that goes on, ask whoever operates Longshore whether it runs for this cluster.';

/** Looks at an object again and again, and tells what changes, until it is over. */
export async function follow(
  user: User,
  timeoutMs: number,
  look: () => Promise<Progress>,
): Promise<{ ending: Ending; last?: Progress }> {
  const [startedMs, { stopped, progress }] = [user.nowMs(), user];
  const told = new Set<string>();
  let last: Progress | undefined;
  let problem: string | undefined;
  let hasRemarked = false;
  try {
    for (;;) {
      const found = await Promise.race([lookOnce(look), untilAborted(stopped)]);
      if (found === 'stopped') return { ending: { is: 'stopped' }, ...(last ? { last } : {}) };
      const spentMs = user.nowMs() - startedMs;
      if (typeof found === 'string') {
        if (found !== problem) progress.say(`The cluster cannot be read, and is asked again: ${found}`);
        problem = found;
      } else {
        problem = undefined;
        last = found;
        tellNew(found.lines, told, (line) => progress.say(line));
        if (found.problem !== undefined) return { ending: { is: 'problem', problem: found.problem }, last };
        if (found.isOver) return { ending: { is: 'over' }, last };
        if (found.isSilent && spentMs > silentMs && !hasRemarked) {
          progress.say(silence);
          hasRemarked = true;
        }
        progress.now(`${found.stage} (${Math.floor(spentMs / 1_000)} s)`);
      }
      if (spentMs >= timeoutMs) return { ending: { is: 'late' }, ...(last ? { last } : {}) };
      await user.pause(Math.min(pauseAfter(spentMs), timeoutMs - spentMs));
    }
  } finally {
    progress.end();
  }
}

/** What was said before and is said again after something else is told again. */
function tellNew(lines: readonly string[], told: Set<string>, tell: (line: string) => void): void {
  for (const line of lines) if (!told.has(line)) tell(line);
  told.clear();
  for (const line of lines) told.add(line);
}

/** A text is a problem of the moment. Whoever may not look will not be allowed to a moment later. */
async function lookOnce(look: () => Promise<Progress>): Promise<Progress | string> {
  try {
    return await look();
  } catch (error) {
    if (isClusterError(error, 'unreachable', 'throttled', 'expired')) return errorText(error);
    throw error;
  }
}

/** Most is over within a second; what is not usually waits for people. */
function pauseAfter(spentMs: number): number {
  if (spentMs < 10_000) return 250;
  return spentMs < 60_000 ? 1_000 : 2_000;
}

function untilAborted(signal: AbortSignal): Promise<'stopped'> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve('stopped');
    else signal.addEventListener('abort', () => resolve('stopped'), { once: true });
  });
}
