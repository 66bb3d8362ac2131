import { ageText, durationText } from '../operate/duration.ts';
import type { Leader } from '../operate/leader.ts';
import { shortKind } from '../operate/target.ts';
import { printable } from '../terminal/printable.ts';
import { tableLines } from '../terminal/table.ts';
import { wrapped } from '../terminal/wrap.ts';
import { complaintsAbout } from './health.ts';
import type { StatusReport, Stuck } from './report.ts';

export interface TextOptions {
  width: number;
  /** Whole sentences, and all objects. */
  isWide?: boolean;
}

/** So many unfinished objects are shown; the others are counted. */
const maxShown = 15;

/** The screen of `longshore status`. */
export function statusLines(report: StatusReport, options: TextOptions): string[] {
  const { width } = options;
  const complaints = complaintsAbout(report);
  const state = report.answerMs === undefined ? 'NO ANSWER' : complaints.length === 0 ? 'OK' : 'NEEDS YOU';
  const answered = report.answerMs === undefined ? 'no answer' : `${report.answerMs} ms`;
  return [
    ...wrapped(`${report.cluster} ${state} ${report.server} (${answered})`, width, '  ', ''),
    ...complaints.flatMap(({ text, remedy }) => [
      ...wrapped(`! ${text}`, width, '    ', '  '),
      ...(remedy ? wrapped(`run: ${remedy}`, width, '    ') : []),
    ]),
    ...section('FORWARDER', leaderRows(report), options),
    ...section('FAILING', failingRows(report), options),
    ...section('UNFINISHED', unfinishedRows(report, options), options),
    ...more(report, options),
    ...section('OBJECTS', countRows(report), options),
  ];
}

function section(
  title: string,
  rows: readonly (readonly string[])[],
  { width, isWide = false }: TextOptions,
): string[] {
  if (rows.length < 2) return [];
  return ['', title, ...tableLines(rows, isWide ? Number.POSITIVE_INFINITY : width)];
}

const states = { leads: 'active', stale: 'not renewed', free: 'released' } as const;

function leaderRows({ leaders = [], at }: StatusReport): string[][] {
  const rows = leaders.map(({ identity, holder, state, renewedAt, status }: Leader) => [
    identity,
    states[state],
    `${ageText(renewedAt, new Date(at))} ago`,
    status && state === 'leads' ? followingText(status.isFollowing, status.lagSeconds) : '-',
    status?.release ?? '-',
    holder || '-',
  ]);
  return [['IDENTITY', 'STATE', 'RENEWED', 'CHANGES', 'RELEASE', 'HOLDER'], ...rows];
}

function followingText(isFollowing: boolean, lagSeconds: number): string {
  return isFollowing ? `lag ${durationText(lagSeconds * 1_000)}` : 'listing';
}

function failingRows({ leaders = [], at }: StatusReport): string[][] {
  const now = new Date(at);
  const all = leaders.flatMap(({ state, status }) => (state === 'leads' ? (status?.failing ?? []) : []));
  const rows = all.map(({ function: name, kind, key = '', reason, error, since, attempts, next }) => {
    const inMs = next === undefined ? undefined : Date.parse(next) - now.getTime();
    const again = inMs === undefined || Number.isNaN(inMs) ? 'now' : `in ${durationText(inMs)}`;
    const object = kind ? `${shortKind(kind)}/${key}` : '-';
    return [name, object, reason, `${ageText(since, now)}`, String(attempts), again, error];
  });
  return [['FUNCTION', 'OBJECT', 'REASON', 'AGE', 'TRIES', 'NEXT', 'ERROR'], ...rows];
}

/** Narrower than this, names would be cut for beginnings of sentences. */
const leastForMessages = 80;

function unfinishedRows({ unfinished, at }: StatusReport, { isWide = false, width }: TextOptions): string[][] {
  const hasMessages = isWide || width >= leastForMessages;
  const now = new Date(at);
  const shown = isWide ? unfinished : unfinished.slice(0, maxShown);
  const rows = shown.map((each: Stuck) => [
    each.namespace ?? '-',
    `${shortKind(each.kind)}/${each.name}`,
    ageText(each.since, now),
    each.turn,
    each.reason ?? '-',
    ...(hasMessages ? [each.message ?? ''] : []),
  ]);
  return [['NAMESPACE', 'OBJECT', 'AGE', 'WAITING ON', 'REASON', ...(hasMessages ? ['MESSAGE'] : [])], ...rows];
}

function more({ unfinished }: StatusReport, { isWide = false }: TextOptions): string[] {
  const hidden = isWide ? 0 : Math.max(0, unfinished.length - maxShown);
  return hidden > 0 ? [`… and ${hidden} more: use -o wide`] : [];
}

function countRows({ counts }: StatusReport): string[][] {
  const rows = counts.map(({ kind, total, unfinished }) => [printable(kind), String(total), String(unfinished)]);
  return [['KIND', 'TOTAL', 'UNFINISHED'], ...rows];
}
