import { describe, expect, test } from '@jest/globals';
import { ClusterError } from '../../../../../../lib/kubernetes/errors.ts';
import { bucketName, bucketOf, maxReceives, play } from './play.ts';
import { creating, deleting, made } from './samples.ts';

const marks = {
  'longshore.dev/requested-at': '2026-11-18T14:55:00.000Z',
  'longshore.dev/requested-by': 'team.billing',
  'longshore.dev/requested-from': '111122223333',
  'longshore.dev/request': 'event-1',
};
const later = { id: 'event-2' };
const reports = bucketName('reports');

describe('a Bucket that is asked for', () => {
  test('is made, says for which event, and is counted', async () => {
    const { cluster, said, deliver } = play();
    expect(await deliver([creating({ bucketPrefix: 'rep' })])).toEqual([]);
    const { metadata, spec } = cluster.read(reports) ?? bucketOf('none');
    expect(metadata.annotations).toEqual(marks);
    expect(spec).toEqual({ bucketClassName: 'fast', secretName: 'reports-credentials', bucketPrefix: 'rep' });
    const dimensions = { Cluster: 'main', Request: 'create' };
    expect(said.measured).toEqual([{ name: 'BucketRequestsAccepted', unit: 'Count', value: 1, dimensions }]);
    expect([said.buried, said.errors]).toEqual([[], []]);
  });

  test.each([
    ['the same event again', [creating()]],
    ['the same wish in another event', [creating({}, later)]],
    ['all that in one batch', [creating(), creating({}, later), creating()]],
  ])('stays as it is after %s', async (_, bodies) => {
    const { cluster, said, deliver } = play();
    await deliver([creating()]);
    expect(await deliver(bodies)).toEqual([]);
    expect(cluster.changes).toHaveLength(1);
    expect([said.buried, said.measured.length]).toEqual([[], 1]);
  });

  test('is deleted by its source, once', async () => {
    const { cluster, said, deliver } = play();
    await deliver([creating()]);
    expect(await deliver([deleting({}, later), deleting({}, later)])).toEqual([]);
    expect(cluster.read(reports)).toBeUndefined();
    expect(cluster.changes.map(({ type }) => type)).toEqual(['ADDED', 'DELETED']);
    expect([said.buried, said.measured.map(({ dimensions }) => dimensions.Request)]).toEqual([
      [],
      ['create', 'delete'],
    ]);
  });

  test.each(['9999-12-31T23:59:59Z', '2026-11-18T15:00:11Z'])(
    'at a time that was still to come (%s) can be deleted by an event of the right time',
    async (time) => {
      const { cluster, said, deliver } = play();
      await deliver([creating({}, { time })]);
      expect(await deliver([deleting({}, { ...later, time: '2026-11-18T15:00:10Z' })])).toEqual([]);
      expect([cluster.read(reports), said.buried]).toEqual([undefined, []]);
    },
  );

  test('by a clock that is a little fast keeps the order of its events', async () => {
    const { cluster, said, deliver } = play();
    await deliver([creating({}, { time: '2026-11-18T14:59:00Z' })]);
    await deliver([deleting({}, { id: 'event-0', time: '2026-11-18T14:58:00Z' })]);
    expect(cluster.read(reports)).toBeDefined();
    expect(said.buried.map(({ reason }) => reason)).toEqual([
      'Bucket team-a/reports was requested at 2026-11-18T14:59:00.000Z, after this request of 2026-11-18T14:58:00.000Z to delete it: it stays',
    ]);
  });

  test('that is being deleted stays deleted, and a late duplicate of its event does not mind', async () => {
    const { cluster, said, deliver } = play();
    await cluster.create(reports, bucketOf('reports', marks, ['cosi.io/finalizer']));
    await deliver([deleting({}, later)]);
    expect(await deliver([creating(), deleting({}, later)])).toEqual([]);
    expect(cluster.read(reports)?.metadata.deletionTimestamp).toBeDefined();
    expect(said.buried).toEqual([]);
  });
});

test('a Bucket that is not there need not be deleted', async () => {
  const { cluster, said, deliver } = play();
  expect(await deliver([deleting()])).toEqual([]);
  expect([cluster.changes, said.buried, said.measured]).toEqual([[], [], []]);
});

describe('what time may mend', () => {
  const away = new ClusterError('unreachable', 'no answer');

  test('comes again after a while, and is done then', async () => {
    const { cluster, said, failing, deliver } = play();
    failing.cluster = away;
    expect(await deliver([creating()], 3)).toEqual(['message-0']);
    expect(said.postponed).toEqual([['receipt-0', 16]]);
    expect([said.errors, said.buried]).toEqual([['no answer'], []]);
    delete failing.cluster;
    expect(await deliver([creating()], 4)).toEqual([]);
    expect(cluster.read(reports)).toBeDefined();
  });

  test('is buried with the reason at its last delivery', async () => {
    const { said, failing, deliver } = play();
    failing.cluster = away;
    expect(await deliver([creating()], maxReceives)).toEqual([]);
    expect(said.buried[0]?.reason).toBe('given up after 8 attempts: no answer');
    expect(said.measured[0]?.dimensions).toEqual({ Request: 'create', Reason: 'GivenUp' });
  });

  test('holds up what comes after it for the same Bucket, and nothing else of its batch', async () => {
    const { cluster, failing, deliver, said } = play();
    const get = cluster.get.bind(cluster);
    cluster.get = async (name) => {
      if (name.name === 'reports') throw away;
      return get(name);
    };
    const bodies = [creating(), 'no JSON', creating({ name: 'other' }), deleting(), made('logs')];
    expect(failing).toEqual({});
    expect(await deliver(bodies)).toEqual(['message-0', 'message-3']);
    expect(cluster.read(bucketName('other'))).toBeDefined();
    expect(said.buried.map(({ body }) => body)).toEqual(['no JSON']);
    expect(said.passedOver).toEqual(['no adoption rule matches a bucket of this name']);
  });

  test('includes a queue of dead letters that cannot be reached: nothing is lost', async () => {
    const { failing, deliver, said } = play();
    failing.burial = new Error('no queue');
    expect(await deliver(['no JSON'])).toEqual(['message-0']);
    expect([said.errors, said.measured]).toEqual([['no queue'], []]);
  });

  test('includes credentials that are not accepted, which are fetched anew', async () => {
    const { failing, deliver, said } = play();
    failing.cluster = new ClusterError('unauthorized', 'who?');
    expect(await deliver([creating()])).toEqual(['message-0']);
    expect(said.forgotten).toEqual(['main']);
  });
});
