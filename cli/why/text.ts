import { formatTimestamp, nameOfObject } from '../../lib/recovery/timeline/timeline-entry.ts';
import { ageText, durationText } from '../operate/duration.ts';
import { nameForPeople } from '../operate/find-object.ts';
import { targetText } from '../operate/target.ts';
import { barText, type StageState, turnText, type Verdict } from '../operate/verdict.ts';
import { printable } from '../terminal/printable.ts';
import { tableLines } from '../terminal/table.ts';
import { wrapped } from '../terminal/wrap.ts';
import type { Story } from './story.ts';

const indent = '  ';
const maxEntries = 12;

/** The screen of `longshore why`. */
export function storyLines(story: Story, width: number): string[] {
  const { name, verdicts } = story;
  return [
    printable(nameForPeople(name)),
    ...(verdicts.length === 0 ? [`${indent}Longshore has nothing to do with it now`] : []),
    ...verdicts.flatMap((each) => verdictLines(each, story, width)),
    ...failingLines(story, width),
    ...leaderLines(story, width),
    ...relatedLines(story, width),
    ...timelineLines(story, width),
    ...story.problems.flatMap((problem) => wrapped(`! ${problem}`, width, indent)),
  ];
}

const states: Readonly<Record<Verdict['state'], string>> = {
  done: 'Done',
  waiting: 'Waiting',
  failed: 'Failed',
  new: 'New',
  deleting: 'Being deleted',
};

function verdictLines(verdict: Verdict, { at, name }: Story, width: number): string[] {
  const { state, reason, message, since, turn, todo, stages } = verdict;
  const forText = since ? ` for ${ageText(since, new Date(at))}` : '';
  const isDone = state === 'done';
  const said = message && !isDone ? wrapped(message, width, indent) : [];
  return [
    ...barLines(stages, width),
    ...wrapped(`${states[state]}${isDone ? '' : forText}${reason ? `: ${reason}` : ''}`, width, indent),
    ...said,
    ...(isDone ? [] : wrapped(`Waiting on: ${turnText(turn)}`, width, indent)),
    ...(isDone || !todo ? [] : wrapped(`To do: ${todo}`, width, indent)),
    ...(state === 'failed' ? [`${indent}Then: longshore retry ${targetText(name)}${namespaceOption(name)}`] : []),
  ];
}

/** In one line, or a stage a line. */
function barLines(stages: readonly StageState[], width: number): string[] {
  const line = `${indent}${barText(stages)}`;
  return line.length <= width ? [line] : stages.map((stage) => `${indent}${barText([stage])}`);
}

function namespaceOption({ namespace }: Story['name']): string {
  return namespace ? ` -n ${namespace}` : '';
}

function failingLines({ failing, at, name }: Story, width: number): string[] {
  const now = new Date(at);
  return failing.flatMap(({ function: step, reason, error, attempts, since, next }) => {
    const inMs = next === undefined ? 0 : Date.parse(next) - now.getTime();
    const again = inMs > 0 ? `next try in ${durationText(inMs)}` : 'it is being tried';
    const tries = attempts === 1 ? '1 try' : `${attempts} tries`;
    return [
      ...wrapped(`FAILING: ${step}: ${reason}: ${error}`, width, `${indent}${indent}`, indent),
      `${indent}${indent}${tries} in ${ageText(since, now)}; ${again}`,
      ...(reason === 'Denied' ? [`${indent}${indent}Find the missing permission: longshore check`] : []),
      `${indent}${indent}When it is fixed: longshore retry ${targetText(name)}${namespaceOption(name)}`,
    ];
  });
}

function leaderLines({ leaders, verdicts }: Story, width: number): string[] {
  const isUnfinished = verdicts.some(({ state }) => state !== 'done');
  if (!isUnfinished || !leaders || leaders.some(({ state }) => state === 'leads')) return [];
  return wrapped('Nobody works on it: no process is active. See: longshore status', width, indent);
}

function relatedLines({ related }: Story, width: number): string[] {
  if (related.length === 0) return [];
  const rows = related.map(({ name, state, verdicts }) => [
    nameForPeople(name),
    state === 'found'
      ? verdicts.map((each) => `${states[each.state]} ${each.reason ?? ''}`.trim()).join('; ')
      : texts[state],
    state === 'found' ? verdicts.map(({ stages }) => barText(stages)).join('; ') : '',
  ]);
  return ['', 'RELATED', ...tableLines(rows, width)];
}

const texts = { missing: 'does not exist', hidden: 'you may not read it' } as const;

function timelineLines({ entries, name }: Story, width: number): string[] {
  const told = withoutRepeats(entries);
  if (told.length === 0) return [];
  const own = nameOfObject(name);
  const shown = told.slice(-maxEntries);
  const rows = shown.map(({ at, object, what }) => [
    formatTimestamp(at).replace(/\.\d+Z$/, 'Z'),
    nameOfObject(object) === own ? 'it' : nameOfObject(object),
    what,
  ]);
  const hidden = told.length - shown.length;
  return [
    '',
    hidden > 0 ? `TIMELINE (the last ${shown.length} of ${told.length})` : 'TIMELINE',
    ...tableLines(rows, width),
  ];
}

/** An Event says the same as its condition. Who wrote last is for `trace`. */
function withoutRepeats(entries: Story['entries']): Story['entries'] {
  const seen = new Set<unknown>();
  return entries.filter(({ source, object, details }) => {
    if (source === 'write') return false;
    const sentence = details.message ?? details.note;
    if (!sentence) return true;
    const text = `${nameOfObject(object)} ${sentence}`;
    return !seen.has(text) && seen.add(text);
  });
}
