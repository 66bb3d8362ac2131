import { beforeEach, expect, test } from '@jest/globals';
import { RunLeaseNotes } from '../../../lib/compose/lease-notes.ts';
import type { ForwardingState } from '../../../lib/forwarder/forwarding-state.ts';
import { parseLeaderStatus } from '../../../lib/forwarder/leader-status.ts';
import { maxRequests } from '../../../lib/forwarder/retry-requests.ts';
import { resources } from '../../../lib/kubernetes/resources.ts';
import type { MessageParts } from '../../../lib/queue/message-parts.ts';
import { FailingKeys } from '../../../lib/reconcile/failing-keys.ts';

const start = new Date('2026-11-19T03:00:00Z');
let state: ForwardingState;
let failing: FailingKeys;
let hurried: string[];
let sent: Pick<MessageParts, 'function' | 'key'>[];
let resting: Map<string, number>;
let notes: RunLeaseNotes;

beforeEach(() => {
  state = {};
  failing = new FailingKeys(() => start);
  hurried = [];
  sent = [];
  resting = new Map();
  const queues = {
    restsUntilMs: (name: string, group: string) => resting.get(`${name} ${group}`),
    hurry: (name: string, group: string) => {
      hurried.push(`${name} ${group}`);
      return resting.has(`${name} ${group}`);
    },
  };
  const clock = { now: () => start, elapsedMs: () => 1_000, pause: async () => {} };
  const known = { cluster: 'main', holder: 'longshore/1', release: '0.1.0', capabilities: ['transfers'] };
  notes = new RunLeaseNotes({ ...known, state, failing, queues, clock });
});

const { transferRequest, volume } = resources;

/** A forwarder that knows of the unfinished work of one request. */
function leadWithUnfinished(): void {
  const routes = [
    { function: 'match-transfer', resource: transferRequest, key: { namespace: 'team', name: 'move' } },
    { function: 'rebind-volume', resource: volume, key: { name: 'volume-1' } },
  ];
  const cause = { uid: 'u', resourceVersion: '1', type: 'add' };
  const unfinishedOf = ({ name }: { name: string }) =>
    name === 'move' ? { cause, owner: undefined, routes } : undefined;
  const stats = { isFollowing: true, lastResponseMs: 1_000, lists: 1, watchFailures: 0 };
  const term = {
    forwarder: { unfinishedOf, stats, unfinished: 1, deferred: 0 },
    outbox: { add: (parts: MessageParts) => void sent.push(parts), stats: { inFlight: 0 }, size: 0, lagMs: 0 },
    lease: {},
    archive: { unwrittenBytes: 0 },
  };
  state.lead = { term } as never;
}

const status = () => parseLeaderStatus(notes.status());
const request = (id: string, name = 'move') => ({ id, kind: 'StorageTransferRequest', namespace: 'team', name });

test('it says who leads, and what fails with the time of the next attempt', () => {
  leadWithUnfinished();
  const denied = { function: 'match-transfer', reason: 'Denied', error: 'forbidden' } as const;
  failing.failed({ ...denied, group: 'main/team/move', kind: 'StorageTransferRequest', key: 'team/move' });
  resting.set('match-transfer main/team/move', 5_000);
  expect(status()).toMatchObject({
    ...{ holder: 'longshore/1', release: '0.1.0', isFollowing: true, unfinished: 1, failingCount: 1 },
    failing: [{ ...denied, kind: 'StorageTransferRequest', key: 'team/move', next: '2026-11-19T03:00:04.000Z' }],
  });
});

test('many objects of one cause do not hide another cause', () => {
  for (let index = 0; index < 30; index += 1) {
    failing.failed({ function: 'match-claim', group: `g${index}`, reason: 'Denied', error: 'no' });
  }
  failing.failed({ function: 'bind-bucket', group: 'last', reason: 'Mistake', error: 'bug' });
  expect(
    status()
      ?.failing.slice(0, 2)
      .map(({ function: name }) => name),
  ).toEqual(['match-claim', 'bind-bucket']);
  expect(status()?.failingCount).toBe(31);
});

test('a request hurries what rests, sends what is unfinished, and is answered once', () => {
  leadWithUnfinished();
  resting.set('match-transfer main/team/move', 5_000);
  const text = JSON.stringify([request('one')]);
  notes.onRequests(text);
  notes.onRequests(text);
  expect(hurried).toEqual(['match-transfer main/team/move', 'rebind-volume main/volume-1']);
  expect(sent.map(({ function: name, key }) => [name, key])).toEqual([['rebind-volume', { name: 'volume-1' }]]);
  expect(status()?.retried).toEqual([{ id: 'one', messages: 2 }]);
});

test('as many as can ask at a time are all answered, also next to a long list of failures', () => {
  const failed = { reason: 'Denied', error: 'e'.repeat(300), kind: 'StorageTransferRequest' } as const;
  for (let index = 0; index < 40; index += 1) {
    failing.failed({ function: `function-${index}`, group: `g${index}`, ...failed, key: `team/${'k'.repeat(200)}` });
  }
  const ids = Array.from({ length: maxRequests }, (_, index) => String(index).padStart(40, 'x'));
  notes.onRequests(JSON.stringify(ids.map((id) => request(id))));
  expect(status()?.retried.map(({ id }) => id)).toEqual(ids);
});

test('what fails is hurried by its object, also if nothing is unfinished of it', () => {
  const known = { kind: 'StorageTransferRequest', key: 'team/other' };
  failing.failed({ function: 'match-transfer', group: 'main/team/other', reason: 'Mistake', error: 'bug', ...known });
  resting.set('match-transfer main/team/other', 5_000);
  notes.onRequests(JSON.stringify([request('one', 'other')]));
  expect(status()?.retried).toEqual([{ id: 'one', messages: 1 }]);
});

test.each(['', '[', '{}', '[{}]', '[{"id":"x","kind":"Thing","name":"a"}]', '[{"id":"x","kind":"pv","name":"../a"}]'])(
  'what anybody may have written there does nothing: %j',
  (text) => {
    leadWithUnfinished();
    notes.onRequests(text);
    expect([hurried, sent]).toEqual([[], []]);
  },
);

test('why the last term ended is said until a later one has listed everything', () => {
  state.failure = new Error('buckets is forbidden');
  notes.beginTerm();
  state.failure = undefined;
  expect(status()?.failure).toEqual({
    at: start.toISOString(),
    error: expect.stringContaining('buckets is forbidden'),
  });
  leadWithUnfinished();
  expect(status()?.failure).toBeUndefined();
});
