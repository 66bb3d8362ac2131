import { describe, expect, test } from '@jest/globals';
import type { Bucket } from '../../../../../../lib/capabilities/buckets/objects.ts';
import { bucketName, bucketOf, play } from './play.ts';
import { creating, deleting, settings } from './samples.ts';

const marks = {
  'longshore.dev/requested-at': '2026-11-18T14:55:00.000Z',
  'longshore.dev/requested-by': 'team.billing',
  'longshore.dev/requested-from': '111122223333',
  'longshore.dev/request': 'event-1',
};
const later = { id: 'event-2' };
const reports = bucketName('reports');
const requests = settings.permissions.requests.map((each) => ({ ...each, clusters: ['*'] }));
const everywhere = { ...settings, permissions: { ...settings.permissions, requests } };

describe('what is refused is buried as it came, with the reason, and acknowledged', () => {
  const theirs = { ...marks, 'longshore.dev/requested-by': 'team.other' };
  const elsewhere = { ...marks, 'longshore.dev/requested-from': '444455556666' };
  const held = 'cosi.io/finalizer';
  type Row = [string, Bucket | undefined, string, string, string];
  const rows: Row[] = [
    ['no JSON', undefined, 'reports', 'Malformed', 'it is not JSON: only EventBridge may write to this queue'],
    ['an unknown cluster', undefined, creating({ cluster: 'lost' }), 'NotAllowed', 'cluster "lost" is not configured'],
    [
      'no namespace',
      undefined,
      creating({ namespace: 'team-c' }),
      'Rejected',
      'the API server rejects the bucket: namespaces "team-c" not found',
    ],
    [
      "a person's Bucket",
      bucketOf('reports'),
      creating(),
      'Conflict',
      'Bucket team-a/reports was not created for an event: choose another name',
    ],
    [
      "another source's Bucket",
      bucketOf('reports', theirs),
      creating(),
      'Conflict',
      'Bucket team-a/reports was requested by team.other, not by team.billing: choose another name',
    ],
    [
      "another account's Bucket",
      bucketOf('reports', elsewhere),
      deleting(),
      'Conflict',
      'Bucket team-a/reports was requested from another account: its creator decides what happens to it',
    ],
    [
      "the deletion of a person's Bucket",
      bucketOf('reports'),
      deleting(),
      'Conflict',
      'Bucket team-a/reports was not created for an event: its creator decides what happens to it',
    ],
    [
      'a deletion that was meant for an earlier Bucket of the name',
      bucketOf('reports', marks),
      deleting({}, { id: 'event-0', time: '2026-11-18T14:54:59Z' }),
      'Conflict',
      'Bucket team-a/reports was requested at 2026-11-18T14:55:00.000Z, after this request of 2026-11-18T14:54:59.000Z to delete it: it stays',
    ],
    [
      'another spec',
      bucketOf('reports', marks),
      creating({ secretName: 'keys' }, later),
      'Conflict',
      'Bucket team-a/reports already exists with another spec, which cannot be changed: choose another name',
    ],
    [
      'another prefix',
      bucketOf('reports', marks),
      creating({ bucketPrefix: 'keys' }, later),
      'Conflict',
      'Bucket team-a/reports already exists with another spec, which cannot be changed: choose another name',
    ],
  ];
  test.each(rows)('%s', async (_, bucket, body, kind, reason) => {
    const { cluster, said, deliver } = play(everywhere);
    if (bucket) await cluster.create(reports, bucket);
    const before = cluster.changes.length;
    expect(await deliver([body])).toEqual([]);
    expect(said.buried).toMatchObject([{ body, reason, messageId: 'message-0' }]);
    expect(said.errors).toEqual([reason]);
    expect(said.measured).toMatchObject([{ name: 'BucketRequestsRefused', dimensions: { Reason: kind } }]);
    expect(cluster.changes).toHaveLength(before);
  });

  test('a name that is still being given up', async () => {
    const { cluster, said, deliver } = play();
    await cluster.create(reports, bucketOf('reports', marks, [held]));
    await cluster.delete(reports);
    expect(await deliver([creating({}, later)])).toEqual([]);
    expect(said.buried.map(({ reason }) => reason)).toEqual([
      'Bucket team-a/reports is still being deleted: send the request again when it is gone, or choose another name',
    ]);
  });

  test('in one lane for each Bucket, so that the dead letters of one can be moved back in their order', async () => {
    const { said, deliver } = play();
    const place = { cluster: 'lost' };
    await deliver([creating(place), creating({ ...place, name: 'other' }), deleting(place), 'no JSON', '{}']);
    const lanes = said.buried.map(({ body, group }) => [
      JSON.parse(body === 'no JSON' ? '{}' : body).detail?.name,
      group,
    ]);
    expect(new Map(lanes.map(([name, group]) => [group, name]))).toEqual(
      new Map([
        ['lost team-a/reports', 'reports'],
        ['lost team-a/other', 'other'],
        ['message-3', undefined],
        ['message-4', undefined],
      ]),
    );
    expect(said.buried.length).toBe(5);
  });
});
