import { expect, test } from '@jest/globals';
import { UsageError } from '../../../cli/parse/usage-error.ts';
import { documentText } from '../../../cli/terminal/document.ts';
import { tableLines } from '../../../cli/terminal/table.ts';
import { defineTrace } from '../../../cli/trace/define.ts';
import { documentOf, linesOf } from '../../../cli/trace/lines.ts';
import { show } from '../../../cli/trace/trace.ts';
import { nameOf, resources } from '../../../lib/kubernetes/resources.ts';
import type { Entry } from '../../../lib/recovery/timeline/timeline-entry.ts';
import { called } from '../parsed.ts';

test.each([
  [
    ['bukket', 'a/b'],
    'unknown kind "bukket" (Did you mean Bucket?); known kinds: PersistentVolumeClaim, PersistentVolume,',
  ],
  [['bucket', 'photos'], 'the name of a Bucket must be <namespace>/<name>, but is "photos"'],
  [['pv', 'a/b'], 'the name of a PersistentVolume must be <name>, without a namespace, but is "a/b"'],
  [['pvc', '../secrets'], 'the name of a PersistentVolumeClaim must be <namespace>/<name>, but is "../secrets"'],
  [['pv', 'a', '--from', 'yesterday'], '--from must be a time with a time zone'],
  [['pv', 'a', '--from', '2999-01-01T00:00Z'], '--from must be before now, but is 2999-01-01T00:00Z'],
  [['pv', 'a'], 'no deployment given: use --stage, or set LONGSHORE_STAGE'],
])('trace %j is refused with what can be said instead', async (args, problem) => {
  const { LONGSHORE_STAGE: stage } = process.env;
  delete process.env.LONGSHORE_STAGE;
  const refusal = await called(defineTrace, args).catch((error) => error);
  if (stage !== undefined) process.env.LONGSHORE_STAGE = stage;
  expect(refusal).toBeInstanceOf(UsageError);
  expect(refusal.message).toContain(problem);
});

test.each([
  [[], "missing required argument 'kind'"],
  [['bucket'], "missing required argument 'name'"],
  [['pv', 'a', 'b'], 'too many arguments'],
  [['pv', 'a', '--log'], "unknown option '--log'\n(Did you mean --logs?)"],
  [['pv', 'a', '-o', 'xml'], "argument 'xml' is invalid. Allowed choices are json, yaml"],
])('trace %j is no call', async (args, problem) => {
  await expect(called(defineTrace, args)).rejects.toThrow(problem);
});

test('a timeline of more entries than a call takes arguments is shown', () => {
  const entry: Entry = {
    at: { ms: Date.UTC(2026, 2, 1, 12), isExact: true },
    source: 'message',
    object: nameOf(resources.claim, 'prod', 'data'),
    what: 'update',
    details: {},
    isReaction: false,
  };
  expect(linesOf(Array<Entry>(300_000).fill(entry))).toHaveLength(300_000);
  expect(tableLines(Array<string[]>(300_000).fill(['a', 'b']))).toHaveLength(300_000);
});

const claim = nameOf(resources.claim, 'prod', 'data');
const volume = nameOf(resources.volume, undefined, 'v');
const entries: Entry[] = [
  {
    at: { ms: Date.UTC(2026, 2, 1, 12), isExact: false },
    source: 'object',
    object: claim,
    what: 'created',
    details: {},
    isReaction: false,
  },
  {
    at: { ms: Date.UTC(2026, 2, 1, 12) + 5, isExact: true },
    source: 'condition',
    object: volume,
    what: 'Bound\u001b[31m True\nit is',
    details: { status: 'True' },
    isReaction: true,
  },
];

test('each entry is one line, aligned, on which nobody can write with colours or line breaks', () => {
  expect(linesOf(entries)).toEqual([
    '2026-03-01T12:00:00Z      object     PersistentVolumeClaim prod/data  created',
    '2026-03-01T12:00:00.005Z  condition  PersistentVolume v               Bound?[31m True it is',
  ]);
});

test('for programs it is one document, with a line for each entry', () => {
  const text = documentText(entries.map(documentOf), 'json');
  expect(text.split('\n').length).toBe(2 + entries.length);
  expect(JSON.parse(text)).toEqual([
    {
      time: '2026-03-01T12:00:00Z',
      source: 'object',
      kind: 'PersistentVolumeClaim',
      namespace: 'prod',
      name: 'data',
      what: 'created',
      details: {},
    },
    expect.objectContaining({
      time: '2026-03-01T12:00:00.005Z',
      kind: 'PersistentVolume',
      details: { status: 'True' },
    }),
  ]);
});

test('what others wrote moves nothing on a terminal as JSON either, and comes out as it was', () => {
  const what = 'a\u009b31m b\u202e c\u2066 d\u007f';
  const [entry] = entries;
  const line = documentText(documentOf({ ...(entry as Entry), what }), 'json');
  expect(line).toMatch(/^[\u0020-\u007e]*$/);
  expect(JSON.parse(line).what).toBe(what);
});

test('what could not be looked at is told without credentials, and without what writes on a terminal', () => {
  const told: string[] = [];
  const { error } = console;
  console.error = (line: string) => told.push(line);
  const problems = ['for\u009bbidden\nx-amz-security-token: abcdefgh'];
  show(claim, { entries: [], exists: true, isKnown: true, problems }, undefined);
  console.error = error;
  expect(told).toEqual(['for?bidden x-amz-security-token: [left out]']);
});
