import { stringify } from 'yaml';
import type { Feature } from '../../lib/install/features.ts';
import { titleOf } from '../../lib/install/kinds.ts';
import { type Action, actions, changesOf, conflictsOf, type Plan, type PlanEntry } from '../../lib/install/plan.ts';
import { clipped, printable } from '../terminal/printable.ts';
import { tableLines } from '../terminal/table.ts';
import { wrapped } from '../terminal/wrap.ts';

/** A long list says little more than its beginning. */
const maxLines = 12;

/** The plan as people read it. */
export function planText(plan: Plan, width = Number.POSITIVE_INFINITY): string {
  const shown = plan.entries.filter(({ action }) => action !== 'unchanged');
  return sections([
    shown.length > 0 ? tableOf(shown, width) : [],
    plan.entries.flatMap(differenceLines),
    featureLines(plan.features),
    plan.notes.map((note) => `Note: ${printable(note)}`),
    [summaryOf(plan)],
  ]);
}

export function sections(all: readonly (readonly string[])[]): string {
  return all
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

function tableOf(entries: readonly PlanEntry[], width: number): string[] {
  const rows = entries.map(({ action, object, differences, note }) => [
    action,
    titleOf(object),
    note ?? differences.map(({ path }) => path).join(', '),
  ]);
  const lines = tableLines([['ACTION', 'OBJECT', 'WHAT'], ...rows]);
  // A name that is cut is of no use to whoever agrees to it: where a line is too short, the rest is below.
  if (lines.every(({ length }) => length <= width)) return lines;
  return rows.flatMap(([action = '', title = '', what = '']) => [
    ...wrapped(`${action} ${title}`, width, '  ', ''),
    ...(what === '' ? [] : wrapped(what, width, '    ')),
  ]);
}

/** Labels that only say the release are in the table. */
function differenceLines({ object, differences }: PlanEntry): string[] {
  const told = differences.filter(({ path }) => !path.startsWith('metadata.labels'));
  if (told.length === 0) return [];
  const lines = told.flatMap(({ path, before, after, owners }) => [
    `  ${printable(path)}${owners.length > 0 ? ` (set by ${owners.map(printable).join(', ')})` : ''}`,
    ...valueLines('-', before, after),
    ...valueLines('+', after, before),
  ]);
  return [printable(titleOf(object)), ...lines];
}

/** Of a list only the items are shown that the other one does not have. */
function valueLines(sign: string, value: unknown, other: unknown): string[] {
  if (value === undefined) return [];
  const lines =
    Array.isArray(value) && Array.isArray(other)
      ? itemsBut(value, other)
      : stringify(value, { lineWidth: 0 }).trimEnd().split('\n');
  const shown = lines.slice(0, maxLines).map((line) => `    ${sign} ${indented(line)}`);
  return lines.length > maxLines ? [...shown, `    ${sign} … ${lines.length - maxLines} more lines`] : shown;
}

function itemsBut(items: readonly unknown[], others: readonly unknown[]): string[] {
  const known = new Set(others.map((each) => JSON.stringify(each)));
  return items.map((each) => JSON.stringify(each)).filter((text) => !known.has(text));
}

/** The beginning of a line of YAML means something. */
function indented(line: string): string {
  const [blanks = ''] = /^ */.exec(line) ?? [];
  return blanks + clipped(printable(line.slice(blanks.length)), 200);
}

/** What works on this server, and what must be written otherwise. */
function featureLines(features: readonly Feature[]): string[] {
  if (features.length === 0) return [];
  const rows = features.map(({ name, state }) => [name, state]);
  const lacking = features.filter(({ state }) => state === 'not served');
  return [
    ...tableLines([['THE SERVER HAS', ''], ...rows]),
    ...lacking.map(({ name, without }) => `Without ${name}: ${without}.`),
  ];
}

const said: Record<Action, string> = {
  create: 'to create',
  change: 'to change',
  adopt: 'to adopt',
  delete: 'to delete',
  leave: 'left alone',
  unchanged: 'unchanged',
};

function summaryOf({ entries }: Plan): string {
  const counts = actions.map((action) => ({ action, count: entries.filter((each) => each.action === action).length }));
  const parts = counts.filter(({ count }) => count > 0).map(({ action, count }) => `${count} ${said[action]}`);
  return `${parts.join(', ')}.`;
}

/** The conflicts as sentences, and what to type. */
export function conflictText(plan: Plan): string | undefined {
  const conflicts = conflictsOf(plan);
  if (conflicts.length === 0) return undefined;
  const lines = conflicts.map(({ title, path, owners }) => {
    const who =
      owners.length > 0 ? `was set by ${owners.join(' and ')}` : 'differs, and somebody else has made the object';
    return `- ${printable(`${title}: ${path} ${who}`)}`;
  });
  return `nothing was changed: others have set the following otherwise. To overwrite it, use --force-conflicts; to keep it, have it removed from what they apply:\n${lines.join('\n')}`;
}

export function hasChanges(plan: Plan): boolean {
  return changesOf(plan).length > 0;
}
