import { describe, expect, test } from '@jest/globals';
import type { TransferRequest } from '../../lib/kubernetes/objects.ts';
import { consent, makeTransfer, planTransfer, type Transfer, untilComplete } from '../support/cluster-client.ts';
import { testClient } from './administrator.ts';
import { runLongshore } from './case-longshore.ts';
import { expectMoved, untilBound, untilEvents, untilReason } from './case-waits.ts';

const client = testClient();
runLongshore();

async function conditionsOf({ request }: Transfer): Promise<Record<string, string>> {
  const { status } = await client.until<TransferRequest>(request);
  return Object.fromEntries((status?.conditions ?? []).map(({ type, status: is }) => [type, is]));
}

/** The same volume, from where it has come to back to where it was. */
function back({ source, target, volume }: Transfer): Transfer {
  const places = { source: target.metadata, target: source.metadata };
  const [{ namespace: from = '', name }, { namespace: to = '' }] = [places.source, places.target];
  const planned = planTransfer({ source: { namespace: from, name }, target: { namespace: to, name: 'data' } });
  return { ...planned, volume };
}

describe('a transfer on a real control plane, each function under its own role', () => {
  test.each(['Delete', 'Retain'] as const)(
    'moves a bound claim whose volume is on %s, and leaves it so',
    async (policy) => {
      const transfer = await makeTransfer(client, undefined, { policy });
      await consent(client, transfer);
      await untilComplete(client, transfer);
      await client.untilGone(transfer.source);
      const target = await expectMoved(client, transfer);
      expect(target.metadata.ownerReferences).toBeUndefined();
      await untilEvents(client, transfer.request, 'Complete');
      await untilEvents(client, transfer.approval, 'Complete');
      await untilEvents(client, transfer.source, 'TransferBegun');
      await untilEvents(client, transfer.target, 'Transferred');
      await untilEvents(client, transfer.volume, 'TransferBegun', 'Transferred');
    },
  );

  test('waits for the approval and says so, whichever comes first', async () => {
    const transfer = await makeTransfer(client);
    await client.create(transfer.request);
    await untilReason(client, transfer.request, 'ApprovalMissing');
    expect(await conditionsOf(transfer)).toEqual({ Matched: 'False', Complete: 'False', Ready: 'False' });
    await untilEvents(client, transfer.request, 'ApprovalMissing');
    await client.create(transfer.approval);
    await untilComplete(client, transfer);
    const other = await makeTransfer(client);
    await client.create(other.approval);
    await untilReason(client, other.approval, 'RequestMissing');
    await untilEvents(client, other.approval, 'RequestMissing');
    await client.create(other.request);
    await untilComplete(client, other);
  });

  test('carries no label and no annotation over that nobody asks for, such as a schedule of backups', async () => {
    const labels = { 'backup.example.com/schedule': 'daily' };
    const transfer = await makeTransfer(client, undefined, { metadata: { labels, annotations: labels } });
    await consent(client, transfer);
    await untilComplete(client, transfer);
    const { metadata } = await expectMoved(client, transfer);
    expect(metadata.labels).toBeUndefined();
    expect(Object.keys(metadata.annotations ?? {})).not.toContain('backup.example.com/schedule');
  });

  test('carries labels and annotations over where it is asked to, but no owners and nothing that tools or the cluster wrote', async () => {
    const planned = await makeTransfer(client);
    const spec = { ...planned.request.spec, copyLabels: ['*'], copyAnnotations: ['example.com/*'] };
    const transfer = { ...planned, request: { ...planned.request, spec } };
    const { namespace = '' } = transfer.source.metadata;
    const owner = await client.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name: 'owner' } });
    const { apiVersion, kind, metadata } = owner;
    const ownerReferences = [{ apiVersion, kind, name: metadata.name, uid: (metadata as { uid?: string }).uid }];
    const labels = { team: 'storage', 'app.kubernetes.io/instance': 'shop', 'app.kubernetes.io/name': 'database' };
    const annotations = {
      'example.com/cost': '7',
      'argocd.argoproj.io/tracking-id': 'shop',
      'meta.helm.sh/release': 'a',
    };
    await client.change(transfer.source, { metadata: { labels, annotations, ownerReferences } });
    await consent(client, transfer);
    await untilComplete(client, transfer);
    const target = await expectMoved(client, transfer);
    expect(target.metadata.labels).toEqual({ team: 'storage', 'app.kubernetes.io/name': 'database' });
    const names = Object.keys(target.metadata.annotations ?? {}).filter(
      (name) => !name.startsWith('pv.kubernetes.io/'),
    );
    expect(names.sort()).toEqual([
      'example.com/cost',
      'longshore.dev/transferred-by',
      'longshore.dev/transferred-from',
    ]);
    expect(target.metadata.ownerReferences).toBeUndefined();
    await client.delete(owner);
    await client.untilGone(owner);
    await untilBound(client, target);
  });

  test('leaves the target as it is when request and approval are deleted afterwards', async () => {
    const transfer = await makeTransfer(client);
    await consent(client, transfer);
    await untilComplete(client, transfer);
    const { metadata } = await expectMoved(client, transfer);
    // The garbage collector is seen to be at work by what the request does own.
    const { apiVersion, kind, metadata: of } = await client.until<TransferRequest>(transfer.request);
    const ownerReferences = [{ apiVersion, kind, name: of.name, uid: of.uid }];
    const owned = { namespace: of.namespace, name: 'owned', ownerReferences };
    const witness = await client.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: owned as typeof metadata });
    await client.delete(transfer.request);
    await client.delete(transfer.approval);
    await client.untilGone(witness);
    expect((await expectMoved(client, transfer)).metadata.uid).toBe(metadata.uid);
  });

  test.each(['Delete', 'Retain'] as const)('goes there and back again with one volume on %s', async (policy) => {
    const there = await makeTransfer(client, undefined, { policy });
    await consent(client, there);
    await untilComplete(client, there);
    await client.untilGone(there.source);
    await expectMoved(client, there);
    const andBack = back(there);
    await consent(client, andBack);
    await untilComplete(client, andBack);
    await client.untilGone(there.target);
    await expectMoved(client, andBack);
  });
});

describe('the schema', () => {
  test('refuses a request without a target name, and one for anything but a claim', async () => {
    const { request } = await makeTransfer(client);
    const { targetName: _, ...withoutTarget } = request.spec;
    const nameless = { ...request, spec: withoutTarget as typeof request.spec };
    await expect(client.create(nameless)).rejects.toThrow('targetName');
    const kind = { ...request, spec: { ...request.spec, source: { ...request.spec.source, kind: 'Secret' } } };
    await expect(client.create(kind)).rejects.toThrow('kind must be PersistentVolumeClaim; nothing else can be moved');
  });

  test('refuses a change of what was asked for and of what was approved', async () => {
    const { request, approval } = await makeTransfer(client);
    await client.create(request);
    await client.create({ ...approval, spec: { ...approval.spec, requestName: 'other' } });
    const other = client.change(request, { spec: { targetName: 'other' } });
    await expect(other).rejects.toThrow('spec cannot be changed; delete this request and create another one');
    const yetAnother = client.change(approval, { spec: { requestName: request.metadata.name } });
    await expect(yetAnother).rejects.toThrow('spec cannot be changed; delete this approval and create another one');
  });
});
