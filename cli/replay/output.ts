import type { Run } from '../../lib/recovery/replay/run.ts';
import { type Damage, readIn, replayedIn, type Summary } from '../../lib/recovery/replay/summary.ts';
import type { Clock } from '../../lib/runtime/clock.ts';
import { heading } from '../terminal/colour.ts';
import { printable } from '../terminal/printable.ts';
import type { Shown } from '../terminal/progress.ts';
import { tableLines } from '../terminal/table.ts';

type Told = Pick<Run, 'summary' | 'wish' | 'runId' | 'isDryRun' | 'isDone'>;

/** What a replay has done, by function and kind, and what it has left out. */
export function summaryOf(run: Told): string {
  const { summary, wish, runId, isDryRun } = run;
  const rows = summary.replayed.map(({ function: name, kind, messages, first, last }) => {
    return [name, kind, String(messages), first, last];
  });
  const [head = '', ...others] = tableLines([['function', 'kind', 'messages', 'first', 'last'], ...rows]);
  const table = rows.length === 0 ? [] : [heading(head), ...others, ''];
  const range = `from ${wish.from.toISOString()} to ${wish.to.toISOString()}`;
  const by = isDryRun ? '' : `, by run ${runId}`;
  const clusters = `cluster${wish.clusters.length > 1 ? 's' : ''} ${wish.clusters.map(printable).join(', ')}`;
  const sum = `${countsOf(run)} that were sent ${range} about ${clusters}${by}`;
  return [...table, sum, ...leftOut(summary).map((each) => `left out: ${printable(each)}`)].join('\n');
}

/** Before the end nobody knows how many there are. */
function countsOf({ summary, isDryRun, isDone }: Told): string {
  const [replayed, read] = [replayedIn(summary), readIn(summary)];
  const what = `${isDryRun ? 'would replay' : 'replayed'} ${replayed}`;
  return isDone ? `${what} of the ${read} messages` : `${what} of the first ${read} messages`;
}

/** Whatever was in the range and was not replayed. */
function leftOut({ others, repeated, noQueue, refused, damaged, moreDamaged }: Summary): string[] {
  return [
    ...(others > 0 ? [`${others} that were not selected`] : []),
    ...(repeated > 0 ? [`${repeated} about the same object as an earlier one`] : []),
    ...noQueue.map(({ function: name, messages }) => `${messages} to ${name}, which has no queue for messages here`),
    ...refused.map(
      ({ function: name, code, messages }) => `${messages} that the queue of ${name} never takes: ${code}`,
    ),
    ...damaged.map(damageText),
    ...(moreDamaged > 0 ? [`the rest of ${moreDamaged} more segments, each reported when it was read`] : []),
  ];
}

export function damageText({ segment, linesRead, reason }: Damage): string {
  return printable(`everything after line ${linesRead} of ${segment}: ${reason}`);
}

export function unservedText(clusters: readonly string[], deployment: string): string {
  return printable(`left out: messages about ${clusters.join(', ')}, which ${deployment} does not serve`);
}

/** The same for programs. */
export function documentOf({ summary, wish, runId, isDryRun, isDone }: Told) {
  return {
    run: isDryRun ? null : runId,
    dryRun: isDryRun,
    complete: isDone,
    from: wish.from.toISOString(),
    to: wish.to.toISOString(),
    clusters: wish.clusters,
    read: readIn(summary),
    replayed: replayedIn(summary),
    functions: summary.replayed,
    leftOut: {
      notSelected: summary.others,
      repeated: summary.repeated,
      noQueue: summary.noQueue,
      refused: summary.refused,
      damaged: summary.damaged,
      moreDamaged: summary.moreDamaged,
    },
  };
}

/** How far a run has come, and how fast it is since now. */
export function shownOf(
  run: Pick<Run, 'place' | 'replayed' | 'isDryRun'>,
  clock: Pick<Clock, 'elapsedMs'>,
): () => Shown {
  const [begunMs, before] = [clock.elapsedMs(), run.replayed];
  return () => {
    const { place, replayed, isDryRun } = run;
    const perSecond = ((replayed - before) * 1_000) / (clock.elapsedMs() - begunMs);
    const what = isDryRun ? 'counted' : 'replayed';
    const at = place.time ? `, at ${place.time.toISOString()}` : '';
    const text = `${Math.floor(place.share * 100)} % ${what} ${replayed}, ${Math.round(perSecond)}/s${at}`;
    return { text, share: place.share };
  };
}
