import { allReasons, explained, explanationsOf } from '../../lib/capabilities/explanations.ts';
import type { Explanation } from '../../lib/reconcile/explanations.ts';
import { suggestions } from '../operate/suggest.ts';
import { turnText } from '../operate/verdict.ts';
import { UsageError } from '../parse/usage-error.ts';
import { printableJson } from '../terminal/printable.ts';
import { tableLines } from '../terminal/table.ts';
import { lineWidth } from '../terminal/width.ts';
import { wrapped } from '../terminal/wrap.ts';

export async function explainReason(reason: string, { output }: { output?: 'json' }): Promise<void> {
  const found = reason === 'list' ? allReasons.flatMap(explanationsOf) : explanationsOf(properlyWritten(reason));
  if (found.length === 0) throw new UsageError(unknownReason(reason));
  const width = lineWidth(process.stdout);
  if (output === 'json') console.log(printableJson(found));
  else console.log((reason === 'list' ? listLines(found, width) : linesOf(found, width)).join('\n'));
}

function properlyWritten(reason: string): string {
  return allReasons.find((each) => each.toLowerCase() === reason.toLowerCase()) ?? reason;
}

export function unknownReason(reason: string): string {
  const meant = suggestions(reason, allReasons);
  const advice = meant.length > 0 ? `did you mean ${meant.join(' or ')}?` : "'longshore explain list' lists all";
  return `there is no reason ${JSON.stringify(reason)}: ${advice}`;
}

/** One block for each capability that has the reason. */
export function linesOf(all: readonly Explanation[], width: number): string[] {
  const several = all.length > 1;
  return all.flatMap(({ reason, capability, means, shown, turn, todo, document }, index) => [
    ...(index > 0 ? [''] : []),
    several ? `${reason} (${capability})` : reason,
    ...wrapped(`Means: ${means}`, width, '    ', '  '),
    ...(shown === 'log' ? [] : wrapped(`To do: ${todo}`, width, '    ', '  ')),
    ...(shown === 'log' ? [] : wrapped(`Waiting on: ${turnText(turn)}`, width, '    ', '  ')),
    `  Shown in: ${places[shown]}`,
    `  More: ${document}`,
  ]);
}

const places = {
  condition: 'a condition of the object, and its Event',
  Event: 'an Event of the object',
  log: 'the log alone',
  'dead letter': 'the dead letter of the refused message',
} as const;

function listLines(all: readonly Explanation[], width: number): string[] {
  const order = Object.keys(explained);
  const sorted = all.toSorted((one, other) => order.indexOf(one.capability) - order.indexOf(other.capability));
  const rows = sorted.map(({ reason, capability, shown, means }) => [reason, capability, shown, means]);
  return tableLines([['REASON', 'CAPABILITY', 'SHOWN', 'MEANING'], ...rows], width);
}
