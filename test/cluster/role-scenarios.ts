import type { Claim } from '../../lib/cluster/objects.ts';
import { consent, untilComplete } from '../support/cluster-client.ts';
import { podUsing } from './case-objects.ts';
import { accepting, expectTransferred, giveAway, offer, untilPending } from './case-offers.ts';
import { expectMoved, untilAsBefore, untilDeleting, untilReason, untilTold } from './case-waits.ts';
import type { Permission } from './role-permissions.ts';
import type { Scenario } from './role-play.ts';

const hold = 'example.com/hold';
const fence = 'longshore.dev/transfer';

const requested: Scenario = {
  told: 'request',
  events: { 'match-transfer': ['request', 'ApprovalMissing'], 'rebind-volume': ['volume', 'Transferred'] },
  act: async ({ client, transfer }) => {
    await client.create(transfer.request);
    await untilReason(client, transfer.request, 'ApprovalMissing');
    await client.create(transfer.approval);
    await untilComplete(client, transfer);
    await expectMoved(client, transfer);
  },
};

const approvedAndExpired: Scenario = {
  told: 'request',
  events: { 'match-approval': ['approval', 'RequestMissing'] },
  act: async ({ client, transfer, resync }) => {
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
};

const withdrawn: Scenario = {
  told: 'request',
  events: {},
  act: async ({ client, transfer }) => {
    await client.create(podUsing(transfer.source));
    await consent(client, transfer);
    await untilReason(client, transfer.approval, 'SourceInUse');
    await client.delete(transfer.approval);
    await untilAsBefore(client, transfer);
    await untilReason(client, transfer.request, 'ApprovalMissing');
  },
};

const targetLost: Scenario = {
  shape: { metadata: { finalizers: [hold] } },
  told: 'request',
  events: {},
  act: async ({ client, transfer }) => {
    const { source, target } = transfer;
    await consent(client, transfer);
    await untilDeleting(client, source);
    await client.delete(target);
    await client.untilGone(target);
    await client.until<Claim>(source, ({ metadata }) => metadata.finalizers?.length === 2);
    await client.change(source, { metadata: { finalizers: [fence] } });
    await untilComplete(client, transfer);
    await expectMoved(client, transfer);
  },
};

const offered: Scenario = {
  told: 'source',
  events: { 'match-claim': ['volume', 'TransferPending'], 'rebind-volume': ['volume', 'TransferComplete'] },
  act: async (play) => {
    const { client, transfer } = play;
    await client.create(accepting(transfer));
    await untilTold(client, transfer.target, 'NotOffered');
    await offer(client, transfer);
    await untilPending(client, transfer.target);
    // The pods are read when the volume is on offer already, which a claim's own message finds only when it comes late.
    await play.deliverAgain('match-claim');
    await giveAway(client, transfer);
    await expectTransferred(client, transfer);
  },
};

export const scenarios = {
  'a request comes before its approval': requested,
  'an approval comes before its request, and both expire': approvedAndExpired,
  'an approval is withdrawn while a pod uses the claim': withdrawn,
  'a target is deleted after the point of no return': targetLost,
  'a claim is offered and accepted by annotation': offered,
} satisfies Record<string, Scenario>;

/** In which a function needs what no other names here. */
const usual: Record<string, Scenario> = {
  'match-approval': approvedAndExpired,
  'match-claim': offered,
  'match-transfer': requested,
  'rebind-volume': requested,
};

export const particular: Record<string, Scenario> = {
  'match-transfer needs delete storagetransferrequests': approvedAndExpired,
  'match-transfer needs patch storagetransferapprovals/status': withdrawn,
  'rebind-volume needs create persistentvolumeclaims': targetLost,
  'rebind-volume needs delete persistentvolumeclaims': withdrawn,
  'rebind-volume needs get configmaps': offered,
  'rebind-volume needs list referencegrants': withdrawn,
  'rebind-volume needs patch persistentvolumeclaims/status': offered,
};

/** A permission that nobody has thought of fails in the usual scenario, which goes on to its end without it. */
export function scenarioFor({ function: functionName, name }: Permission): Scenario {
  const scenario = particular[`${functionName} needs ${name}`] ?? usual[functionName];
  if (!scenario) throw new Error(`${functionName} is in no scenario`);
  return scenario;
}
