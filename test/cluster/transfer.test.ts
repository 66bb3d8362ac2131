import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Claim, TransferRequest, Volume } from '../../lib/cluster/objects.ts';
import { consent, makeTransfer, type Transfer, untilComplete } from '../support/cluster-client.ts';
import { type InProcess, runInProcess } from '../support/in-process.ts';
import { testClient, testKubeconfig } from './administrator.ts';

const client = testClient();
let running: InProcess;

beforeAll(async () => {
  running = await runInProcess(testKubeconfig());
});
afterAll(() => running.stop());

/** A new forwarder lists everything: what waits for something that is not watched goes on then. */
async function resync(): Promise<void> {
  await running.stop();
  running = await runInProcess(testKubeconfig());
}

function untilReason({ request }: Transfer, reason: string): Promise<TransferRequest> {
  const says = ({ status }: TransferRequest) => status?.conditions?.some((condition) => condition.reason === reason);
  return client.until<TransferRequest>(request, (found) => says(found) === true);
}

function conditionsOf({ status }: TransferRequest): Record<string, string> {
  return Object.fromEntries((status?.conditions ?? []).map(({ type, status: is }) => [type, is]));
}

async function volumeOf(transfer: Transfer): Promise<Volume | undefined> {
  return (await client.get(transfer.volume)) as Volume | undefined;
}

describe('a transfer on a real control plane, each function under its own role', () => {
  test('moves a bound claim with its volume, labels and annotations, and puts the reclaim policy back', async () => {
    const transfer = await makeTransfer(client);
    await consent(client, transfer);
    await untilComplete(client, transfer);
    await client.untilGone(transfer.source);
    const target = await client.until<Claim>(transfer.target, ({ status }) => status?.phase === 'Bound');
    const volume = await volumeOf(transfer);
    expect(target.spec.volumeName).toBe(transfer.volume.metadata.name);
    expect(target.metadata.ownerReferences).toBeUndefined();
    expect(volume?.spec.claimRef?.uid).toBe(target.metadata.uid);
    expect(volume?.spec.persistentVolumeReclaimPolicy).toBe('Delete');
    expect(Object.keys(volume?.metadata.annotations ?? {}).filter((name) => name.startsWith('longshore.dev/'))).toEqual(
      [],
    );
    expect((await client.eventsAbout(transfer.request)).map(({ reason }) => reason)).toContain('Complete');
  });

  test('waits for the approval and says so, whichever comes first', async () => {
    const transfer = await makeTransfer(client);
    await client.create(transfer.request);
    const waiting = await untilReason(transfer, 'ApprovalMissing');
    expect(conditionsOf(waiting)).toEqual({ Matched: 'False', Complete: 'False' });
    await client.create(transfer.approval);
    await untilComplete(client, transfer);
    const other = await makeTransfer(client);
    await client.create(other.approval);
    await client.create(other.request);
    await untilComplete(client, other);
  });

  test('waits for a claim that is not there yet', async () => {
    const transfer = await makeTransfer(client);
    const request = {
      ...transfer.request,
      spec: { ...transfer.request.spec, source: { ...transfer.request.spec.source, name: 'later' } },
    };
    const approval = {
      ...transfer.approval,
      spec: { ...transfer.approval.spec, source: { ...transfer.approval.spec.source, name: 'later' } },
    };
    await consent(client, { ...transfer, request, approval });
    await untilReason(transfer, 'SourceMissing');
    const { name: volumeName } = transfer.volume.metadata;
    const later = { ...transfer.volume, metadata: { name: `${volumeName}-later` } };
    later.spec = { ...later.spec, claimRef: { ...later.spec.claimRef, name: 'later' } };
    await client.create(later);
    const { namespace = '' } = transfer.source.metadata;
    const { accessModes, resources, storageClassName } = transfer.source.spec as Required<Claim['spec']>;
    const spec = { accessModes, resources, storageClassName };
    await client.create({
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { namespace, name: 'later' },
      spec,
    });
    await untilComplete(client, transfer);
  });

  test('leaves a claim alone that has the target name already, and says what to do', async () => {
    const transfer = await makeTransfer(client);
    const stranger = await client.create(transfer.target);
    await consent(client, transfer);
    const refused = await untilReason(transfer, 'TargetExists');
    expect(refused.status?.error?.message).toMatch(
      /exists already .* delete it, or make a request with another targetName/,
    );
    expect((await client.get(stranger))?.metadata.uid).toBe(stranger.metadata.uid);
    expect((await client.get<Claim>(transfer.source))?.metadata.deletionTimestamp).toBeUndefined();
    await client.delete(stranger);
    await untilComplete(client, transfer);
  });

  test('destroys nothing when quota refuses the target, and goes on when it is raised', async () => {
    const transfer = await makeTransfer(client);
    const { namespace = '' } = transfer.target.metadata;
    const hard = { persistentvolumeclaims: '0' };
    const quota = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { namespace, name: 'none' }, spec: { hard } };
    await client.create(quota);
    await client.until<typeof quota & { status?: { hard?: object } }>(
      quota,
      ({ status }) => status?.hard !== undefined,
    );
    await consent(client, transfer);
    const refused = await untilReason(transfer, 'TargetRefused');
    expect(refused.status?.error?.message).toContain('exceeded quota');
    const source = await client.get<Claim>(transfer.source);
    expect(source?.metadata.deletionTimestamp).toBeUndefined();
    expect((await volumeOf(transfer))?.spec.persistentVolumeReclaimPolicy).toBe('Delete');
    await client.delete(quota);
    await resync();
    await untilComplete(client, transfer);
  });

  test('does not touch a claim that a pod uses, names the pod, and goes on when it is gone', async () => {
    const transfer = await makeTransfer(client);
    const { namespace = '', name: claimName } = transfer.source.metadata;
    const volumes = [{ name: 'data', persistentVolumeClaim: { claimName } }];
    const containers = [{ name: 'database', image: 'database' }];
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { namespace, name: 'database-0' },
      spec: { volumes, containers },
    };
    await client.create(pod);
    await consent(client, transfer);
    const waiting = await untilReason(transfer, 'SourceInUse');
    expect(waiting.status?.conditions?.at(-1)?.message).toContain('database-0');
    expect((await client.get<Claim>(transfer.source))?.metadata.deletionTimestamp).toBeUndefined();
    await client.delete(pod);
    await client.untilGone(pod);
    await resync();
    await untilComplete(client, transfer);
  });

  test.each(['request', 'approval'] as const)(
    'puts everything back when the %s is withdrawn in time',
    async (which) => {
      const transfer = await makeTransfer(client);
      const { namespace = '', name: claimName } = transfer.source.metadata;
      const volumes = [{ name: 'data', persistentVolumeClaim: { claimName } }];
      const containers = [{ name: 'database', image: 'database' }];
      await client.create({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { namespace, name: 'user' },
        spec: { volumes, containers },
      });
      await consent(client, transfer);
      await untilReason(transfer, 'SourceInUse');
      expect((await client.get<Claim>(transfer.source))?.metadata.finalizers).toContain('longshore.dev/transfer');
      await client.delete(transfer[which]);
      await client.untilGone(transfer.target);
      const isFree = ({ metadata }: Claim) => !metadata.finalizers?.includes('longshore.dev/transfer');
      const source = await client.until<Claim>(transfer.source, isFree);
      expect(source.metadata.deletionTimestamp).toBeUndefined();
      expect(source.status?.phase).toBe('Bound');
      expect((await volumeOf(transfer))?.spec.persistentVolumeReclaimPolicy).toBe('Delete');
    },
  );

  test('is refused by the schema with a sentence that says what is wrong', async () => {
    const { request } = await makeTransfer(client);
    const { targetName: _, ...withoutTarget } = request.spec;
    await expect(client.create({ ...request, spec: withoutTarget as typeof request.spec })).rejects.toThrow(
      'targetName',
    );
    const kind = { ...request, spec: { ...request.spec, source: { ...request.spec.source, kind: 'Secret' } } };
    await expect(client.create(kind)).rejects.toThrow('kind must be PersistentVolumeClaim');
  });

  test("many at once do not get into each other's way", async () => {
    const transfers = await Promise.all(Array.from({ length: 20 }, () => makeTransfer(client)));
    await Promise.all(transfers.map((transfer) => consent(client, transfer)));
    for (const transfer of transfers) await untilComplete(client, transfer);
    const volumes = await Promise.all(transfers.map(volumeOf));
    expect(volumes.map((volume) => volume?.spec.persistentVolumeReclaimPolicy)).toEqual(transfers.map(() => 'Delete'));
  });
});
