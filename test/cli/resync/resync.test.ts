import { describe, expect, test } from '@jest/globals';
import { requestedCluster } from '../../../cli/cluster-name.ts';
import { Interrupted } from '../../../cli/interrupted.ts';
import { readKind } from '../../../cli/kind.ts';
import { UsageError } from '../../../cli/parse/usage-error.ts';
import { defineResync } from '../../../cli/resync/define.ts';
import { ResyncOutput } from '../../../cli/resync/output.ts';
import { failUnlessAll } from '../../../cli/resync/resync.ts';
import { resources } from '../../../lib/kubernetes/resources.ts';
import type { Deployment } from '../../../lib/recovery/deployment/deployment.ts';
import type { ResyncReport } from '../../../lib/recovery/resync/resync.ts';
import type { ToSend } from '../../../lib/recovery/resync/unfinished-object.ts';
import { called } from '../parsed.ts';

test.each([
  [['--rate', '0'], '--rate must be a whole number from 1 to 1000, but is 0'],
  [
    ['--kind', 'bukket'],
    'unknown kind "bukket" (Did you mean Bucket?); known kinds: PersistentVolumeClaim, PersistentVolume,',
  ],
  [['--name', ''], '--name must not be empty'],
  [[], 'no deployment given: use --stage, or set LONGSHORE_STAGE'],
])('resync %j is refused with what can be said instead', async (args, problem) => {
  const { LONGSHORE_STAGE: stage } = process.env;
  delete process.env.LONGSHORE_STAGE;
  const refusal = await called(defineResync, args).catch((error) => error);
  if (stage !== undefined) process.env.LONGSHORE_STAGE = stage;
  expect(refusal).toBeInstanceOf(UsageError);
  expect(refusal.message).toContain(problem);
});

test.each([
  'StorageTransferRequest',
  'storagetransferrequests',
  'STREQ',
  'storagetransferrequests.transfer.storage.k8s.io',
])('%s is understood as a kind', (name) => {
  expect(readKind(name)).toBe(resources.transferRequest);
});

describe('the cluster that is meant', () => {
  const deployment = (clusters?: string[]): Deployment => ({
    name: 'longshore-x',
    queues: {},
    archive: undefined,
    clusters,
  });

  test.each([
    ['main', deployment(['main', 'edge']), 'main'],
    ['any', deployment(undefined), 'any'],
    [undefined, deployment(['main']), 'main'],
  ])('is, when %p is said of %j, %s', (named, known, expected) => {
    expect(requestedCluster(named, known)).toBe(expected);
  });

  test.each([
    ['mian', deployment(['main', 'edge']), 'longshore-x has no cluster "mian"; it has main, edge'],
    [undefined, deployment(['main', 'edge']), 'no cluster given: use --cluster with one of main, edge'],
    [undefined, deployment(undefined), 'no cluster given: use --cluster'],
  ])('must be said more clearly than by %p of %j', (named, known, problem) => {
    expect(() => requestedCluster(named, known)).toThrow(problem);
  });
});

describe('what a resync says of itself', () => {
  const report: ResyncReport = {
    cluster: 'main',
    runId: 'run-1',
    objects: 9,
    unfinished: 3,
    checks: 0,
    leftOut: [{ kind: 'Secret', reason: 'not allowed', isExpected: true }],
    results: [
      { function: 'match-claim', kind: 'PersistentVolumeClaim', messages: 3, sent: 2 },
      { function: 'rebind-volume', kind: 'PersistentVolume', messages: 1, sent: 1 },
    ],
  };

  function tellingTo(isTTY: boolean) {
    const written: string[] = [];
    return { written, telling: new ResyncOutput({ isTTY, write: (text: string) => written.push(text) }) };
  }

  const messages = (count: number) =>
    Array.from({ length: count }, (_, index): ToSend => {
      const key = { namespace: 'team', name: `claim-${index}` };
      const cause = { uid: '1', resourceVersion: '1', type: 'add' as const };
      return { function: 'match-claim', resource: resources.claim, key, cause };
    });

  test('is a table by function, what was left out, and by which run it came', () => {
    const { telling } = tellingTo(false);
    telling.found(messages(4));
    for (let count = 0; count < 3; count += 1) telling.sent();
    expect(telling.summaryOf(report, false).split('\n')).toEqual([
      'function       kind                   sent',
      'match-claim    PersistentVolumeClaim  2 of 3',
      'rebind-volume  PersistentVolume       1 of 1',
      '',
      '3 of the 9 objects of cluster main may have unfinished work; 3 messages were sent, by run run-1',
      'left out: Secret: not allowed',
    ]);
  });

  test('is, of a dry run, what would be sent', () => {
    const { telling } = tellingTo(false);
    telling.found(messages(4));
    const [first] = telling.summaryOf({ ...report, results: [] }, true).split('\n');
    expect(first).toMatch(/^3 of the 9 objects of cluster main may have unfinished work; 4 messages would be sent$/);
  });

  test('is, for programs, one document, which lists what would be sent', () => {
    const { telling } = tellingTo(false);
    telling.found(messages(2));
    expect(telling.documentOf({ ...report, results: [] }, true)).toMatchObject({
      run: null,
      dryRun: true,
      toSend: 2,
      sent: 0,
      messages: [
        { function: 'match-claim', kind: 'PersistentVolumeClaim', namespace: 'team', name: 'claim-0' },
        { function: 'match-claim', kind: 'PersistentVolumeClaim', namespace: 'team', name: 'claim-1' },
      ],
      leftOut: [{ kind: 'Secret', reason: 'not allowed' }],
    });
    const done = telling.documentOf(report, false);
    expect(done).toMatchObject({ cluster: 'main', run: 'run-1', objects: 9, unfinished: 3 });
    expect(done.functions[0]).toEqual({ function: 'match-claim', kind: 'PersistentVolumeClaim', messages: 3, sent: 2 });
  });

  test('sets apart what it looks at without knowing of anything to do', () => {
    const { telling } = tellingTo(false);
    telling.found(messages(4));
    const dry = telling.summaryOf({ ...report, unfinished: 0, checks: 4, results: [], leftOut: [] }, true);
    expect(dry).toBe(
      '0 of the 9 objects of cluster main may have unfinished work; 0 messages would be sent, 4 more to check what no list shows, such as the contents of Secrets',
    );
  });

  test('goes on on one line of a terminal, and is silent elsewhere while it is short', () => {
    const [terminal, file] = [tellingTo(true), tellingTo(false)];
    for (const { telling } of [terminal, file]) {
      telling.found(messages(2));
      telling.sent();
      telling.sent();
    }
    expect(terminal.written).toEqual(['\rsent 1 of 2', '\rsent 2 of 2\n']);
    expect(file.written).toEqual([]);
  });

  test('names an object that could not be understood', () => {
    const { telling, written } = tellingTo(false);
    telling.error('object skipped', { kind: 'Bucket', namespace: 'a', name: 'b', error: 'odd' });
    expect(written).toEqual(['object skipped: Bucket a/b: odd\n']);
  });

  test('shows nothing that anybody could write on a terminal with, and no credentials', () => {
    const { telling, written } = tellingTo(false);
    telling.error('object skipped', {
      kind: 'Bucket',
      name: 'b',
      error: 'od\u001b[31md x-amz-security-token: abcdefgh',
    });
    expect(written).toEqual(['object skipped: Bucket b: od?[31md x-amz-security-token: [left out]\n']);
    const leftOut = [{ kind: 'Secret', reason: 'for\u009bbidden, Bearer abcdefghijkl', isExpected: false }];
    expect(telling.summaryOf({ ...report, leftOut }, true)).toContain(
      'left out: Secret: for?bidden, Bearer [left out]',
    );
  });
});

describe('a resync fails', () => {
  const seen = { results: [], leftOut: [{ kind: 'Secret', reason: 'not allowed', isExpected: true }] };

  test('not when what it could not see need not be seen', () => {
    expect(() => failUnlessAll(seen, false)).not.toThrow();
  });

  test('when it may not list what it has to, however little it has found', () => {
    const denied = { kind: 'PersistentVolume', reason: 'forbidden', isExpected: false };
    const fail = () => failUnlessAll({ ...seen, leftOut: [...seen.leftOut, denied] }, false);
    expect(fail).toThrow('not everything was read: allow listing PersistentVolume in the cluster');
  });

  test('when something was not sent', () => {
    const results = [{ function: 'step', kind: 'Bucket', messages: 3, sent: 1, problem: 'no route' }];
    expect(() => failUnlessAll({ ...seen, results }, false)).toThrow('2 messages were not sent: step: no route');
    expect(() => failUnlessAll({ ...seen, results }, true)).toThrow(Interrupted);
  });
});
