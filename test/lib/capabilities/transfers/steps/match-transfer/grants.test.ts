import { describe, expect, test } from '@jest/globals';
import { decide } from '../../../../../../lib/capabilities/transfers/steps/match-transfer/decide.ts';
import { read } from '../../../../../../lib/capabilities/transfers/steps/match-transfer/read.ts';
import type { TransferWorld } from '../../../../../../lib/capabilities/transfers/world.ts';
import type { ReferenceGrant } from '../../../../../../lib/kubernetes/objects.ts';
import { approval, claim, grant, pod, request, volume } from '../../../../../support/builders.ts';
import { clusterOf } from '../../../cluster-of.ts';
import { settle, summaryOf, testTable, writeOf } from '../../../table.ts';
import * as stage from '../../stages.ts';

const { now } = stage;
const unapproved = request({ spec: { approvalName: '' } });
const granted = (...grants: ReferenceGrant[]): TransferWorld => ({
  ...stage.asked,
  request: unapproved,
  approval: undefined,
  grants,
});
const from = { group: 'transfer.storage.k8s.io', kind: 'StorageTransferRequest', namespace: 'stage' };
const to = { group: '', kind: 'PersistentVolumeClaim', name: 'data' };
const begins = { write: 'patch source', next: 'create target' };
const missing = { tells: 'wait ApprovalMissing' };

describe('a grant in the source namespace stands for an approval', () => {
  testTable(decide, [
    { situation: 'when it names the claim', world: granted(grant()), ...begins },
    {
      situation: 'when it names no claim, and so means all',
      world: granted(grant({ spec: { to: [{ group: '', kind: to.kind }] } })),
      ...begins,
    },
    {
      situation: 'when one of several does, and one of several lines of it',
      world: granted(
        grant({ spec: { from: [] } }),
        grant({ spec: { from: [{ ...from, namespace: 'test' }, from], to: [{ ...to, name: 'other' }, to] } }),
      ),
      ...begins,
    },
    {
      situation: 'also of a request that names an approval which is not there',
      world: { ...granted(grant()), request: request() },
      ...begins,
    },
    {
      situation: 'also of a request whose approval differs',
      world: { ...granted(grant()), request: request(), approval: approval({ spec: { requestName: 'other' } }) },
      ...begins,
    },
  ]);
});

describe('a grant does not stand for an approval', () => {
  const other: [string, ReferenceGrant][] = [
    ['it is being deleted', grant({ metadata: { deletionTimestamp: stage.deletionTimestamp } })],
    ['it is from another group', grant({ spec: { from: [{ ...from, group: 'example.com' }] } })],
    ['it is from another kind', grant({ spec: { from: [{ ...from, kind: 'StorageTransferApproval' }] } })],
    ['it is from another namespace', grant({ spec: { from: [{ ...from, namespace: 'test' }] } })],
    ['it is to another group', grant({ spec: { to: [{ ...to, group: 'example.com' }] } })],
    ['it is to another kind', grant({ spec: { to: [{ ...to, kind: 'Secret' }] } })],
    ['it is to another claim', grant({ spec: { to: [{ ...to, name: 'other' }] } })],
    ['it is from nothing', grant({ spec: { from: [] } })],
    ['it is to nothing', grant({ spec: { to: [] } })],
  ];
  testTable(
    decide,
    other.map(([situation, given]) => ({ situation: `when ${situation}`, world: granted(given), ...missing })),
  );
});

test('a request that only a grant allows is carried to its point of no return and to its end', () => {
  const { writes, world } = settle(decide, granted(grant()));
  expect(writes).toEqual(['patch source', 'create target', 'patch volume', 'delete source']);
  expect(world.volume?.metadata.annotations).toMatchObject({ 'longshore.dev/transfer-approval': '' });
  const end = settle(decide, { ...stage.done, request: unapproved, approval: undefined });
  expect([end.writes, summaryOf(end.decision)]).toEqual([['patch request status', 'patch volume'], 'done Complete']);
});

test('when the grant goes before the point of no return, what was begun is taken back', () => {
  const world = { ...granted(), source: stage.fenced(), target: stage.target() };
  const { writes, decision } = settle(decide, world);
  const taken = ['patch volume', 'delete target', 'patch source', 'patch volume', 'patch request status'];
  expect([writes.slice(0, 4), summaryOf(decision)]).toEqual([taken.slice(0, 4), expect.stringContaining('wait')]);
});

test('when the grant goes after the point of no return, the transfer is finished', () => {
  expect(
    summaryOf(decide({ ...granted(), ...{ ...stage.withRecord, request: unapproved, approval: undefined } }, now)),
  ).toBe('delete source');
});

test('consent by a grant that was read too long ago is read again', () => {
  const readAt = new Date(now.getTime() - 5_001);
  const world = { ...granted(grant()), source: stage.fenced(), target: stage.target(), readAt };
  expect(summaryOf(decide(world, now))).toBe('reread ConsentTooOld');
});

describe('the grants of the source namespace are read', () => {
  const key = { namespace: 'stage', name: 'move' };
  const objects = [claim(), volume(), pod(), grant(), grant({ metadata: { namespace: 'test' } })];

  test('where no approval agrees, and pods with them', async () => {
    const world = await read(clusterOf(unapproved, ...objects), key, now);
    expect([world.grants, world.approval, world.pods]).toEqual([[grant()], undefined, [pod()]]);
  });

  test('where an approval differs', async () => {
    const differing = approval({ spec: { requestName: 'other' } });
    expect((await read(clusterOf(request(), differing, ...objects), key, now)).grants).toEqual([grant()]);
  });

  test('but not where one agrees', async () => {
    const cluster = clusterOf(request(), approval(), ...objects);
    expect((await read(cluster, key, now)).grants).toBeUndefined();
    expect(cluster.asked).not.toContain('ReferenceGrant in prod');
  });

  test('and an approval without a name is not asked for', async () => {
    const cluster = clusterOf(unapproved, ...objects);
    await read(cluster, key, now);
    expect(cluster.asked.filter((path) => path.includes('storagetransferapprovals'))).toEqual([]);
  });
});

test('that a grant was waited for is said with what it takes', () => {
  const body = writeOf(decide(granted(), now));
  expect(JSON.stringify(body)).toContain('no ReferenceGrant of namespace prod covers it');
});
