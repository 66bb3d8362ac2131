import type { Claim } from '../../lib/kubernetes/objects.ts';
import {
  type ClusterClient,
  consent,
  makeTransfer,
  type Shape,
  type Transfer,
  untilComplete,
} from '../support/cluster-client.ts';
import { dropFinalizer, podUsing, takeName } from './case-objects.ts';
import { accepting, expectTransferred, giveAway, offer, untilPending } from './case-offers.ts';
import { expectMoved, untilAsBefore, untilDeleting, untilReason, untilTold } from './case-waits.ts';
import type { Play, Scenario } from './role-play.ts';

const hold = 'example.com/hold';
const fence = 'longshore.dev/transfer';

/** What users do in one transfer. */
interface Acting {
  shape?: Shape;
  told: 'request' | 'source';
  events: Readonly<Record<string, readonly ['volume' | 'target' | 'request' | 'approval', string]>>;
  act(play: Play, transfer: Transfer): Promise<void>;
}

function ofTransfer({ shape, told, events, act }: Acting): Scenario {
  const set: Scenario['set'] = async (client) => {
    const transfer = await makeTransfer(client, undefined, shape);
    const { source, target, volume } = transfer;
    const names = [source.metadata.namespace, target.metadata.namespace, volume.metadata.name];
    return {
      isAbout: ({ namespace, name }) => names.includes(namespace ?? name),
      object: (part) => transfer[part as keyof Transfer],
      act: (play) => act(play, transfer),
    };
  };
  return { told, events, set };
}

export const requested = ofTransfer({
  told: 'request',
  events: { 'match-transfer': ['request', 'ApprovalMissing'], 'rebind-volume': ['volume', 'Transferred'] },
  act: async ({ client }, transfer) => {
    await client.create(transfer.request);
    await untilReason(client, transfer.request, 'ApprovalMissing');
    await client.create(transfer.approval);
    await untilComplete(client, transfer);
    await expectMoved(client, transfer);
  },
});

export const approvedAndExpired = ofTransfer({
  told: 'request',
  events: { 'match-approval': ['approval', 'RequestMissing'] },
  act: async ({ client, resync }, transfer) => {
    const { request, approval } = transfer;
    await client.create({ ...approval, spec: { ...approval.spec, ttlSecondsAfterFinished: 0 } });
    await untilReason(client, approval, 'RequestMissing');
    await client.create({ ...request, spec: { ...request.spec, ttlSecondsAfterFinished: 0 } });
    await untilComplete(client, transfer);
    await resync();
    await client.untilGone(request);
    await client.untilGone(approval);
    await expectMoved(client, transfer);
  },
});

/** Who undoes the transfer depends on whose message comes first. Here it is `match-transfer` or `rebind-volume`. */
export const withdrawn = ofTransfer({
  told: 'request',
  events: {},
  act: async ({ client }, transfer) => {
    await withdraw(client, transfer);
    await untilAsBefore(client, transfer);
    await untilReason(client, transfer.request, 'ApprovalMissing');
  },
});

/** The same, but only `rebind-volume` hears of it at first. */
export const withdrawnFromVolume = ofTransfer({
  told: 'request',
  events: {},
  act: async (play, transfer) => {
    const { client } = play;
    await withdraw(client, transfer, () => play.hold('match-transfer'));
    await untilAsBefore(client, transfer);
    play.release('match-transfer');
    await untilReason(client, transfer.request, 'ApprovalMissing');
  },
});

async function withdraw(client: ClusterClient, transfer: Transfer, first = async () => {}): Promise<void> {
  await client.create(podUsing(transfer.source));
  await consent(client, transfer);
  await untilReason(client, transfer.approval, 'SourceInUse');
  await first();
  await client.delete(transfer.approval);
}

export const heldByName = ofTransfer({
  told: 'request',
  events: {},
  act: async ({ client }, transfer) => {
    const pod = podUsing(transfer.source, 'node');
    await client.create(pod);
    await consent(client, transfer);
    await untilReason(client, transfer.request, 'SourceInUse');
    await client.delete(transfer.source);
    await takeName(client, transfer);
    await untilTold(client, transfer.source, 'TargetExists');
  },
});

export const targetLost = ofTransfer({
  shape: { metadata: { finalizers: [hold] } },
  told: 'request',
  events: {},
  act: async ({ client }, transfer) => {
    const { source, target } = transfer;
    await consent(client, transfer);
    await untilDeleting(client, source);
    const { metadata: lost } = await client.until<Claim>(target);
    await client.delete(target);
    // It may be made anew at once.
    await client.untilGoneOr<Claim>(target, ({ metadata }) => metadata.uid !== lost.uid);
    await client.until<Claim>(source, ({ metadata }) => metadata.finalizers?.length === 2);
    await client.change(source, { metadata: { finalizers: [fence] } });
    await untilComplete(client, transfer);
    await expectMoved(client, transfer);
  },
});

export const offered = ofTransfer({
  told: 'source',
  events: { 'match-claim': ['volume', 'TransferPending'], 'rebind-volume': ['volume', 'TransferComplete'] },
  act: async (play, transfer) => {
    const { client } = play;
    await client.create(accepting(transfer));
    await untilTold(client, transfer.target, 'NotOffered');
    await offer(client, transfer);
    await untilPending(client, transfer.target);
    // The pods are read when the volume is on offer already, which a claim's own message finds only when it comes late.
    await play.deliverAgain('match-claim');
    await giveAway(client, transfer);
    await expectTransferred(client, transfer);
  },
});

/** Both claims are recorded on the volume by then, so its key alone tells what is waited for. */
export const offeredAndHeld = ofTransfer({
  shape: { metadata: { finalizers: [hold] } },
  told: 'source',
  events: {},
  act: async ({ client, resync }, transfer) => {
    await client.create(accepting(transfer));
    await offer(client, transfer);
    await untilPending(client, transfer.source);
    await untilPending(client, transfer.target);
    await client.delete(transfer.source);
    const { metadata } = await untilDeleting(client, transfer.source);
    // It is told only when it lasts, and then at the next list.
    const toldAt = Date.parse(metadata.deletionTimestamp ?? '') + 6_000;
    while (Date.now() < toldAt) await new Promise((resolve) => setTimeout(resolve, 100));
    await resync();
    await untilTold(client, transfer.source, 'SourceHeld');
    await dropFinalizer(client, transfer.source, hold);
    await expectTransferred(client, transfer);
  },
});
