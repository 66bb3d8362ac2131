import { displayName } from '../../lib/kubernetes/resources.ts';
import type { State } from '../../lib/recovery/dead-letters/judge.ts';
import { redacted } from '../../lib/runtime/redaction.ts';
import { clipped, printable } from '../printable.ts';
import { type Examined, placeOf } from './examine.ts';

const maxTextLength = 400;
const maxBodyLength = 200;

/** Said of letters that another command has received, and has in its hands or has died with. */
export const heldElsewhere =
  'held by another command, and visible again when it ends, or two minutes after it was killed';

/** What cannot be read, and why it would be sent again in vain: the problem itself is the error. */
const titles = { malformed: 'malformed message', later: 'a message of a later release', unknown: 'a message' };
const inVain = {
  malformed: 'it can only fail again',
  later: 'it can only fail again until that release is deployed',
  unknown: 'this release of the command does not know the function',
};

/** What is told of letters: a block for each object, as there may be several letters about one. */
export function describe(all: readonly Examined[], now: Date): string[] {
  const blocks = Map.groupBy(all, (each) => blockOf(each));
  const sorted = [...blocks.values()].sort(
    ([one], [other]) => sortKey(one).localeCompare(sortKey(other)) || timeOf(one) - timeOf(other),
  );
  return sorted.flatMap((block) => [...linesOf(block, now), '']);
}

function linesOf(block: readonly Examined[], now: Date): string[] {
  const [{ letter, subject, finding }] = block as [Examined];
  const newest = block.findLast(({ error }) => error !== undefined) ?? block.at(-1);
  const count = block.length > 1 ? `, ${block.length} letters` : '';
  const lines = [`${letter.function}  ${titleOf(block[0] as Examined)}${count}`];
  lines.push(`  failed  ${spanOf(block, now)}`);
  lines.push(`  error   ${newest?.error ? shown(newest.error.text) : 'not known'}`);
  if (subject.type === 'unreadable') lines.push(`  body    ${shown(letter.body, maxBodyLength)}`);
  if (finding.said !== undefined) lines.push(`  object  ${shown(finding.said)}`);
  lines.push(
    `  stands  ${finding.state}: ${subject.type === 'unreadable' ? inVain[subject.as] : shown(finding.detail)}`,
  );
  return lines;
}

function titleOf({ subject }: Examined): string {
  if (subject.type === 'unreadable') return titles[subject.as];
  if (subject.type === 'event') return `event: ${shown(subject.about)}`;
  const { resource, key, cluster } = subject;
  return `${resource.kind} ${displayName(key)} of cluster ${shown(cluster)}`;
}

/** How many there are of each state. */
export function countsOf(states: readonly State[]): string {
  const counts = new Map<State, number>();
  for (const state of states) counts.set(state, (counts.get(state) ?? 0) + 1);
  return [...counts].map(([state, count]) => `${count} ${state}`).join(', ');
}

export function counted(count: number): string {
  return count === 1 ? '1 dead letter' : `${count} dead letters`;
}

function spanOf(block: readonly Examined[], now: Date): string {
  const first = timesOf(block.map(({ firstFailure }) => firstFailure)).at(0);
  const last = timesOf(block.map(({ lastFailure }) => lastFailure)).at(-1);
  const sent = timesOf(block.map(({ letter }) => letter.sentAt)).at(0);
  if (!first) return `not known when; sent ${moment(sent ?? 0, now)}`;
  return `first ${moment(first, now)}, last ${last ? moment(last, now) : 'not known'}`;
}

function timesOf(dates: readonly (Date | undefined)[]): number[] {
  return dates.flatMap((date) => (date ? [date.getTime()] : [])).sort((one, other) => one - other);
}

function moment(time: number, now: Date): string {
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

function blockOf({ letter, subject }: Examined): string {
  return subject.type === 'unreadable' ? `${letter.function} ${subject.problem}` : placeOf(letter, subject);
}

function sortKey(each: Examined | undefined): string {
  return each?.letter.function ?? '';
}

function timeOf(each: Examined | undefined): number {
  return each?.letter.sentAt.getTime() ?? 0;
}

export function shown(text: string, most = maxTextLength): string {
  return clipped(printable(redacted(text)), most);
}
