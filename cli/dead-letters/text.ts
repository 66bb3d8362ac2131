import { displayName } from '../../lib/kubernetes/resources.ts';
import type { DeadLetterState } from '../../lib/recovery/dead-letters/diagnose.ts';
import { redacted } from '../../lib/runtime/redaction.ts';
import { clipped, printable } from '../terminal/printable.ts';
import { diagnosisKeyOf, type Examined } from './examine.ts';

const maxTextLength = 400;
const maxBodyLength = 200;

/** For dead letters that another command has received, and still holds or died with. */
export const heldElsewhere =
  'held by another command, and visible again when it ends, or two minutes after it was killed';

/** Unreadable messages, and why sending them again is futile. The problem itself is shown as the error. */
const titles = { malformed: 'malformed message', later: 'a message of a later release', unknown: 'a message' };
const whyUnprocessable = {
  malformed: 'it can only fail again',
  later: 'it can only fail again until that release is deployed',
  unknown: 'this release of the command does not know the function',
};

/** Describes dead letters: one block for each object, as there may be several about one. */
export function describe(all: readonly Examined[], now: Date): string[] {
  const blocks = Map.groupBy(all, (each) => blockOf(each));
  const sorted = [...blocks.values()].sort(
    ([one], [other]) => sortKey(one).localeCompare(sortKey(other)) || timeOf(one) - timeOf(other),
  );
  return sorted.flatMap((block) => [...linesOf(block, now), '']);
}

function linesOf(block: readonly Examined[], now: Date): string[] {
  const [{ deadLetter, subject, diagnosis }] = block as [Examined];
  const newest = block.findLast(({ error }) => error !== undefined) ?? block.at(-1);
  const count = block.length > 1 ? `, ${counted(block.length)}` : '';
  const lines = [`${deadLetter.function}  ${titleOf(block[0] as Examined)}${count}`];
  lines.push(`  failed  ${spanOf(block, now)}`);
  lines.push(`  error   ${newest?.error ? shown(newest.error.text) : 'not known'}`);
  if (subject.type === 'unreadable') lines.push(`  body    ${shown(deadLetter.body, maxBodyLength)}`);
  if (diagnosis.objectStatus !== undefined) lines.push(`  object  ${shown(diagnosis.objectStatus)}`);
  lines.push(
    `  state   ${diagnosis.state}: ${subject.type === 'unreadable' ? whyUnprocessable[subject.as] : shown(diagnosis.detail)}`,
  );
  return lines;
}

function titleOf({ subject }: Examined): string {
  if (subject.type === 'unreadable') return titles[subject.as];
  if (subject.type === 'event') return `event: ${shown(subject.about)}`;
  const { resource, key, cluster } = subject;
  return `${resource.kind} ${displayName(key)} of cluster ${shown(cluster)}`;
}

/** The number in each state. */
export function countsOf(states: readonly DeadLetterState[]): string {
  const counts = new Map<DeadLetterState, number>();
  for (const state of states) counts.set(state, (counts.get(state) ?? 0) + 1);
  return [...counts].map(([state, count]) => `${count} ${state}`).join(', ');
}

export function counted(count: number): string {
  return count === 1 ? '1 dead letter' : `${count} dead letters`;
}

function spanOf(block: readonly Examined[], now: Date): string {
  const first = timesOf(block.map(({ firstFailure }) => firstFailure)).at(0);
  const last = timesOf(block.map(({ lastFailure }) => lastFailure)).at(-1);
  const sent = timesOf(block.map(({ deadLetter }) => deadLetter.sentAt)).at(0);
  if (!first) return `not known when; sent ${timeWithAge(sent ?? 0, now)}`;
  return `first ${timeWithAge(first, now)}, last ${last ? timeWithAge(last, now) : 'not known'}`;
}

function timesOf(dates: readonly (Date | undefined)[]): number[] {
  return dates.flatMap((date) => (date ? [date.getTime()] : [])).sort((one, other) => one - other);
}

function timeWithAge(time: number, now: Date): string {
  const text = new Date(time).toISOString().replace(/\.\d+/, '');
  const seconds = Math.max(0, Math.round((now.getTime() - time) / 1000));
  const units: [number, string][] = [
    [86_400, 'd'],
    [3_600, 'h'],
    [60, 'min'],
    [1, 's'],
  ];
  const [size, unit] = units.find(([each]) => seconds >= each) ?? [1, 's'];
  return `${text} (${Math.floor(seconds / size)} ${unit} ago)`;
}

function blockOf({ deadLetter, subject }: Examined): string {
  return subject.type === 'unreadable'
    ? `${deadLetter.function} ${subject.problem}`
    : diagnosisKeyOf(deadLetter, subject);
}

function sortKey(each: Examined | undefined): string {
  return each?.deadLetter.function ?? '';
}

function timeOf(each: Examined | undefined): number {
  return each?.deadLetter.sentAt.getTime() ?? 0;
}

export function shown(text: string, most = maxTextLength): string {
  return clipped(printable(redacted(text)), most);
}
