import { formatTimestamp, nameOfObject } from '../../lib/recovery/timeline/timeline-entry.ts';
import { ageText, durationText } from '../operate/duration.ts';
import { nameForPeople } from '../operate/find-object.ts';
import { targetText } from '../operate/target.ts';
import { barText, turnText, type Verdict } from '../operate/verdict.ts';
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
  waiting: 'Waits',
  failed: 'Failed',
  new: 'New',
  deleting: 'Is being deleted',
};

function verdictLines(verdict: Verdict, { at, name }: Story, width: number): string[] {
  const { state, reason, message, since, turn, todo, stages } = verdict;
  const forText = since ? ` for ${ageText(since, new Date(at))}` : '';
  const isDone = state === 'done';
  const said = message && !isDone ? wrapped(`${indent}${message}`, width, indent) : [];
  return [
    ...wrapped(`${indent}${barText(stages)}`, width, indent),
    `${indent}${states[state]}${isDone ? '' : forText}${reason ? `: ${printable(reason)}` : ''}`,
    ...said,
    ...(isDone ? [] : wrapped(`${indent}Whose turn: ${turnText(turn)}`, width, indent)),
    ...(isDone || !todo ? [] : wrapped(`${indent}To do: ${todo}`, width, indent)),
    ...(state === 'failed' ? [`${indent}Then: longshore retry ${targetText(name)}${namespaceOption(name)}`] : []),
  ];
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
      ...wrapped(`${indent}FAILS NOW: ${step}: ${reason}: ${error}`, width, `${indent}${indent}`),
      `${indent}${indent}${tries} in ${ageText(since, now)}; ${again}`,
      ...(reason === 'Denied' ? [`${indent}${indent}Find the missing right: longshore check`] : []),
      `${indent}${indent}When it is mended: longshore retry ${targetText(name)}${namespaceOption(name)}`,
    ];
  });
}

function leaderLines({ leaders, verdicts }: Story, width: number): string[] {
  const isUnfinished = verdicts.some(({ state }) => state !== 'done');
  if (!isUnfinished || !leaders || leaders.some(({ state }) => state === 'leads')) return [];
  return wrapped(`${indent}Nobody works on it: no forwarder leads. See: longshore status`, width, indent);
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
  if (entries.length === 0) return [];
  const own = nameOfObject(name);
  const shown = entries.slice(-maxEntries);
  const rows = shown.map(({ at, object, what }) => [
    formatTimestamp(at).replace(/\.\d+Z$/, 'Z'),
    nameOfObject(object) === own ? 'it' : nameOfObject(object),
    what,
  ]);
  const hidden = entries.length - shown.length;
  return [
    '',
    hidden > 0 ? `TIMELINE (the last ${shown.length} of ${entries.length})` : 'TIMELINE',
    ...tableLines(rows, width),
  ];
}
