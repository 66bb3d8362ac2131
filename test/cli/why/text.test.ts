import { expect, test } from '@jest/globals';
import type { Story } from '../../../cli/why/story.ts';
import { storyLines } from '../../../cli/why/text.ts';
import { nameOf, resources } from '../../../lib/kubernetes/resources.ts';

const at = '2026-11-19T03:00:00.000Z';
const name = nameOf(resources.transferRequest, 'team', 'move');
const stages = [
  { name: 'approved', state: 'reached' },
  { name: 'source ready', state: 'reached' },
  { name: 'fenced', state: 'waiting' },
  { name: 'moved', state: 'open' },
  { name: 'complete', state: 'open' },
] as const;
const since = '2026-11-19T02:50:00Z';
const verdict = {
  state: 'waiting',
  reason: 'SourceInUse',
  message: 'used by pods: db',
  since,
  turn: 'other side',
} as const;

function story(more: Partial<Story> = {}): Story {
  const told = { name, at, verdicts: [{ ...verdict, todo: 'Delete the pods.', stages: [...stages] }], failing: [] };
  return { ...told, leaders: undefined, related: [], entries: [], problems: [], ...more };
}

test('it says how far the object is, what it waits for, and who has to do what', () => {
  expect(storyLines(story(), 100)).toEqual([
    'StorageTransferRequest team/move',
    '  approved ✓  source ready ✓  fenced …  moved ·  complete ·',
    '  Waiting for 10m: SourceInUse',
    '  used by pods: db',
    '  Waiting on: the owner in the other namespace',
    '  To do: Delete the pods.',
  ]);
});

test('what fails now is said with the command for when it is fixed', () => {
  const denied = { function: 'match-transfer', reason: 'Denied', error: 'forbidden', since, attempts: 4 };
  const lines = storyLines(story({ verdicts: [], failing: [{ ...denied, next: '2026-11-19T03:00:41Z' }] }), 100);
  expect(lines).toContain('  FAILING: match-transfer: Denied: forbidden');
  expect(lines).toContain('    4 tries in 10m; next try in 41s');
  expect(lines).toContain('    When it is fixed: longshore retry streq/move -n team');
});

test('nobody works on it while no process is active', () => {
  expect(storyLines(story({ leaders: [] }), 100).join('\n')).toContain('Nobody works on it: no process is active');
  expect(storyLines(story(), 100).join('\n')).not.toContain('Nobody works');
});

test('what others wrote stays on its line, and every line within the terminal', () => {
  const hostile = 'a\u001b[2J\u202e\nTIMELINE all is well '.repeat(20);
  const entry = {
    at: { ms: 0, isExact: true },
    source: 'event',
    object: name,
    what: hostile,
    details: {},
    isReaction: true,
  } as const;
  const related = [
    {
      name: nameOf(resources.claim, 'team', 'data'),
      state: 'found',
      verdicts: [{ ...verdict, reason: hostile, stages: [] }],
    },
  ] as const;
  const failing = [{ function: hostile, reason: hostile, error: hostile, since: hostile, attempts: 1 }];
  const verdicts = [
    { ...verdict, message: hostile, reason: hostile, since: hostile, todo: hostile, stages: [...stages] },
  ];
  const given = story({ verdicts, failing, related: [...related] as never, entries: [entry], problems: [hostile] });
  const lines = storyLines(given, 60);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are looked for.
  expect(lines.filter((line) => /[\u0000-\u001f\u202e]/.test(line))).toEqual([]);
  expect(lines.filter((line) => line.length > 60)).toEqual([]);
  expect(lines.filter((line) => line.startsWith('TIMELINE'))).toEqual(['TIMELINE']);
});

test('what an Event says again is told once', () => {
  const of = (source: 'event' | 'condition' | 'write', field: string) => {
    return {
      at: { ms: 0, isExact: true },
      source,
      object: name,
      what: `${source}: said`,
      details: { [field]: 'said' },
      isReaction: true,
    };
  };
  const entries = [of('event', 'note'), of('condition', 'message'), of('write', 'manager')];
  const lines = storyLines(story({ entries }), 100);
  expect(lines.slice(lines.indexOf('TIMELINE') + 1)).toEqual(['1970-01-01T00:00:00Z  it  event: said']);
});
