import { expect, test } from '@jest/globals';
import type { Leader } from '../../../cli/operate/leader.ts';
import { complaintsAbout } from '../../../cli/status/health.ts';
import type { StatusReport, Stuck } from '../../../cli/status/report.ts';
import { statusLines } from '../../../cli/status/text.ts';

const at = '2026-11-19T03:00:00.000Z';
const status = {
  ...{ holder: 'longshore/1', release: '0.1.0', cluster: 'main', capabilities: [], isFollowing: true },
  ...{ lagSeconds: 0, unfinished: 0, failing: [], failingCount: 0, retried: [] },
};
const leader: Leader = { identity: 'longshore', holder: 'longshore/1', state: 'leads', renewedAt: at, status };
const stuck: Stuck = {
  ...{ kind: 'StorageTransferRequest', namespace: 'team', name: 'move', state: 'waiting', reason: 'ApprovalMissing' },
  ...{ message: 'there is no approval', since: '2026-11-19T02:00:00Z', turn: 'other side', stages: [] },
};

function report(more: Partial<StatusReport> = {}): StatusReport {
  const known = { cluster: 'main', server: 'https://main.example', at, answerMs: 4 };
  return { ...known, leaders: [leader], unfinished: [], counts: [], problems: [], ...more };
}

const complaints = (more: Partial<StatusReport>) => complaintsAbout(report(more)).map(({ text }) => text);

test('all is well while somebody leads, also if people are waited for', () => {
  expect(complaints({})).toEqual([]);
  expect(complaints({ unfinished: [stuck] })).toEqual([]);
  expect(complaints({ unfinished: [{ ...stuck, turn: 'administrator', reason: 'TransfersOff' }] })).toEqual([]);
  expect(statusLines(report(), { width: 80 })[0]).toBe('main OK https://main.example (4 ms)');
});

test.each<[Partial<StatusReport>, string]>([
  [{ answerMs: undefined, leaders: undefined, problems: ['no answer'] }, 'no answer'],
  [{ leaders: [] }, 'no process is active, and none has ever been'],
  [
    { leaders: [{ ...leader, state: 'stale', renewedAt: '2026-11-19T02:49:00Z' }] },
    'no process is active: longshore/1 has not renewed its lease for 11m',
  ],
  [
    { leaders: [{ ...leader, state: 'free', status: { ...status, failure: { at, error: 'forbidden' } } }] },
    'no process is active: the lease was released 0s ago. The last one failed: forbidden',
  ],
  [{ leaders: [{ ...leader, clockAheadMs: -90_000 }] }, "the clock of longshore is 1m behind the server's"],
  [
    { leaders: [{ ...leader, status: { ...status, lagSeconds: 200 } }] },
    "longshore is 3m behind the cluster's changes",
  ],
  [{ leaders: [{ ...leader, status: { ...status, failingCount: 2 } }] }, '2 objects are failing'],
  [{ unfinished: [{ ...stuck, state: 'failed' }] }, '1 object is waiting for an administrator'],
  [{ unfinished: [{ ...stuck, turn: 'Longshore' }] }, '1 object is waiting for Longshore for more than 5m'],
  [{ problems: ['buckets cannot be read: forbidden'] }, 'buckets cannot be read: forbidden'],
])('%j needs somebody', (more, text) => {
  expect(complaints(more)).toEqual([text]);
});

test('what others wrote stays on its line, and every line within the terminal', () => {
  const hostile = 'a\u001b[2J\u202e\nFORWARDER all is well '.repeat(20);
  const failing = [
    {
      function: 'match-transfer',
      reason: 'Denied',
      error: hostile,
      since: 'x',
      attempts: 3,
      key: hostile,
      kind: hostile,
    },
  ];
  const leaders = [{ ...leader, identity: hostile, status: { ...status, failing, failingCount: 1 } }];
  const unfinished = [{ ...stuck, name: hostile, message: hostile, reason: hostile, since: hostile }];
  const lines = statusLines(report({ leaders, unfinished, problems: [hostile], cluster: hostile }), { width: 60 });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are looked for.
  expect(lines.filter((line) => /[\u0000-\u001f\u202e]/.test(line))).toEqual([]);
  expect(lines.filter((line) => line.length > 60)).toEqual([]);
  expect(lines.filter((line) => line === 'FORWARDER')).toHaveLength(1);
});

test('the oldest come first on a screen, and the others are counted', () => {
  const unfinished = Array.from({ length: 20 }, (_, index) => ({ ...stuck, name: `move-${index}` }));
  const lines = statusLines(report({ unfinished }), { width: 100 });
  expect(lines).toContain('… and 5 more: use -o wide');
  expect(lines.find((line) => line.includes('streq/move-0'))).toMatch(
    /^team +streq\/move-0 +1h +other side +ApprovalMissing +there is no appr/,
  );
  const wide = statusLines(report({ unfinished }), { width: 100, isWide: true });
  expect(wide.filter((line) => line.includes('streq/move-'))).toHaveLength(20);
});
