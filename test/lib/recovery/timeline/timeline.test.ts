import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ClusterError } from '../../../../lib/kubernetes/errors.ts';
import type { ClusterObject } from '../../../../lib/kubernetes/objects.ts';
import { nameOf, type ObjectName, resources } from '../../../../lib/kubernetes/resources.ts';
import type { ReadLogPage } from '../../../../lib/recovery/timeline/entries-of-logs.ts';
import { timelineOf } from '../../../../lib/recovery/timeline/timeline.ts';
import { nameOfObject } from '../../../../lib/recovery/timeline/timeline-entry.ts';
import { approval, request } from '../../../support/builders.ts';
import { bucket, ownedBy, target } from '../../capabilities/buckets/bucket-stages.ts';
import { event, viewOf } from './case-timeline.ts';

const created = '2026-03-01T12:00:00Z';
const move = nameOf(resources.transferRequest, 'stage', 'move');
const secretName = nameOf(resources.secret, 'prod', 'photos-access');
test('what happened to an object stands with what happened to all that belongs with it', async () => {
  const { view } = viewOf(
    {
      'StorageTransferRequest stage/move': request({ metadata: { creationTimestamp: created } }),
      'StorageTransferApproval prod/allow': approval({ metadata: { creationTimestamp: '2026-03-01T12:00:02Z' } }),
    },
    {
      'StorageTransferRequest stage/move': [event('one', '2026-03-01T12:00:01.5Z')],
      'PersistentVolumeClaim prod/data': [event('of what is gone', '2026-03-01T12:00:00.5Z')],
    },
  );
  const { entries, exists, isKnown, problems } = await timelineOf(move, { view });
  expect(entries.map(({ object, what }) => `${nameOfObject(object)}: ${what}`)).toEqual([
    'StorageTransferRequest stage/move: created',
    'PersistentVolumeClaim prod/data: Normal R: of what is gone',
    'StorageTransferRequest stage/move: Normal R: one',
    'StorageTransferApproval prod/allow: created',
  ]);
  expect([exists, isKnown, problems]).toEqual([true, true, []]);
});

test('what a Secret holds is neither asked for nor told', async () => {
  const values = fc.dictionary(fc.stringMatching(/^[a-z]{3,9}$/), fc.stringMatching(/^[A-Za-z0-9]{12,24}$/), {
    minKeys: 1,
  });
  await fc.assert(
    fc.asyncProperty(values, async (data) => {
      const metadata = { creationTimestamp: created, ownerReferences: [ownedBy('Bucket')] };
      const { view, asked } = viewOf({ 'Bucket prod/photos': bucket(), secret: target(data, metadata) });
      for (const traced of [secretName, nameOf(resources.bucket, 'prod', 'photos')]) {
        const { entries } = await timelineOf(traced, { view });
        expect(entries.map(({ object }) => nameOfObject(object))).toContain('Secret prod/photos-access');
        const told = JSON.stringify(entries);
        for (const value of Object.values(data)) expect(told).not.toContain(value);
      }
      const ofSecrets = asked.filter((each) => each.includes('/secrets/'));
      expect(ofSecrets.every((each) => each.includes(';as=PartialObjectMetadata;'))).toBe(true);
      expect(asked).not.toContain('Secret prod/photos-access');
    }),
    { numRuns: 20 },
  );
});

test('a credential that somebody wrote into an Event is not told on', async () => {
  const about = {
    'StorageTransferRequest stage/move': [event('Authorization: Bearer abcdefghijklmnop', `${created}`)],
  };
  const { entries } = await timelineOf(move, { view: viewOf({}, about).view });
  expect(JSON.stringify(entries)).not.toContain('abcdefghijklmnop');
});

test('an object that is gone is told of by what was said about it', async () => {
  const about = { 'StorageTransferRequest stage/move': [event('it was here', created)] };
  const { exists, isKnown, entries } = await timelineOf(move, { view: viewOf({}, about).view });
  expect([exists, isKnown, entries.length]).toEqual([false, true, 1]);
});

test('of an object that nobody has heard of nothing is known', async () => {
  expect(await timelineOf(move, { view: viewOf({}).view })).toEqual({
    entries: [],
    exists: false,
    isKnown: false,
    problems: [],
  });
});

test('a cluster that does not answer is asked once, and the logs are shown all the same', async () => {
  const { view, asked } = viewOf({});
  view.cluster.get = async (name) => {
    asked.push(nameOfObject(name));
    throw new ClusterError('unreachable', 'no route to host');
  };
  const line = { time: '2026-03-01T12:00:00.123Z', object: nameOfObject(move), message: 'reconciled', outcome: 'done' };
  const readPage: ReadLogPage = async () => ({ lines: [JSON.stringify(line)], next: undefined });
  const logs = { cluster: 'main', functions: ['match-transfer'], readPage, signal: new AbortController().signal };
  const { entries, exists, problems } = await timelineOf(move, { view, logs });
  expect(entries.map(({ what }) => what)).toEqual(['match-transfer: reconciled: done']);
  expect([exists, problems, asked]).toEqual([undefined, ['no route to host'], [nameOfObject(move)]]);
});

test('what may not be read is told, and the rest is shown', async () => {
  const { view } = viewOf({
    'StorageTransferRequest stage/move': request({ metadata: { creationTimestamp: created } }),
  });
  const { get } = view.cluster;
  view.cluster.get = async (name) => {
    const { resource }: ObjectName = name;
    if (resource === resources.claim) throw new ClusterError('denied', 'you may not get claims', 403);
    return get(name);
  };
  const { entries, exists, problems } = await timelineOf(move, { view });
  expect([entries.length, exists, problems]).toEqual([1, true, ['you may not get claims']]);
});

test('an object that is not as its kind should be is traced by itself', async () => {
  const broken = {
    ...request({ metadata: { creationTimestamp: created } }),
    spec: undefined,
  } as unknown as ClusterObject;
  const { entries, problems } = await timelineOf(move, {
    view: viewOf({ 'StorageTransferRequest stage/move': broken }).view,
  });
  expect(entries).toHaveLength(1);
  expect(problems).toEqual([
    expect.stringContaining('objects related to StorageTransferRequest stage/move cannot be found'),
  ]);
});
