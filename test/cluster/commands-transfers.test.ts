import { expect, test } from '@jest/globals';
import type { TransferApproval, TransferRequest } from '../../lib/kubernetes/objects.ts';
import { resources } from '../../lib/kubernetes/resources.ts';
import { makeTransfer } from '../support/cluster-client.ts';
import { testClient, testKubeconfig } from './administrator.ts';
import { lineIn, people } from './case-commands.ts';
import { runLongshore } from './case-longshore.ts';
import { expectTransferred } from './case-offers.ts';
import { expectMoved } from './case-waits.ts';

const client = testClient();
runLongshore();
const persons = people(() => client, testKubeconfig);

async function scene() {
  const transfer = await makeTransfer(client);
  const [from = '', to = ''] = [transfer.source.metadata.namespace, transfer.target.metadata.namespace];
  const [owner, wanting] = await Promise.all([persons.in(from), persons.in(to)]);
  const { apiVersion, kind } = resources.transferRequest;
  const request = { apiVersion, kind, metadata: { namespace: to, name: `${from}.data` } } as TransferRequest;
  return { transfer, from, to, owner, wanting, request };
}

test('a claim moves: the one asks, is interrupted and goes on; the other types the printed line', async () => {
  const { transfer, from, to, owner, wanting, request } = await scene();
  const move = ['move', 'pvc/data', '--from', from, '-n', to];
  const first = persons.call(wanting, ...move);
  await first.says('ApprovalMissing: ');
  first.interrupt();
  expect(await first.code()).toBe(130);
  expect(lineIn(first.err, 'go on:')).toContain(`longshore move pvc/data --from ${from} -n ${to}`);
  const { uid } = (await client.until<TransferRequest>(request)).metadata;

  const waiting = persons.call(wanting, 'pending', '-n', to);
  expect(await waiting.code()).toBe(0);
  expect(waiting.out).toContain(`waits for namespace ${from}`);

  const refused = persons.type(owner, lineIn(first.out, 'longshore approve'));
  expect([await refused.code(), refused.err]).toEqual([1, expect.stringContaining('Nothing was approved')]);
  const again = persons.call(wanting, ...move);
  await again.says('ApprovalMissing: ');
  const approved = persons.type(owner, lineIn(first.out, 'longshore approve'), '--yes', '--wait');
  expect([await again.code(), again.err]).toEqual([0, expect.stringContaining('complete')]);
  expect([await approved.code(), approved.err]).toEqual([0, expect.stringContaining('  size:    1Gi')]);
  await expectMoved(client, transfer);
  expect((await client.until<TransferRequest>(request)).metadata.uid).toBe(uid);

  const late = persons.call(wanting, 'cancel', `streq/${request.metadata.name}`, '-n', to);
  expect([await late.code(), late.err]).toEqual([1, expect.stringContaining('too late')]);
});

test('the manifest of a dry run is one that the server takes, and nothing of it is kept', async () => {
  const { from, to, owner, wanting, request } = await scene();
  const dry = persons.call(wanting, 'move', 'data', '--from', from, '-n', to, '--dry-run', '-o', 'json');
  expect(await dry.code()).toBe(0);
  expect(await client.get(request)).toBeUndefined();
  await client.create(JSON.parse(dry.out) as TransferRequest);
  const given = ['approve', `streq/${request.metadata.name}`, '-n', from, '--for', to, '--claim', 'data'];
  const approval = persons.call(owner, ...given, '--dry-run', '-o', 'json');
  expect(await approval.code()).toBe(0);
  const { metadata, spec } = JSON.parse(approval.out) as TransferApproval;
  expect([metadata, spec.requestName]).toEqual([{ namespace: from, name: `${to}.data` }, request.metadata.name]);
  const withdrawn = persons.call(wanting, 'cancel', `streq/${request.metadata.name}`, '-n', to);
  expect(await withdrawn.code()).toBe(0);
  await client.untilGone(request);
});

test('whoever may nothing learns what is lacking, and wrong names are usage errors', async () => {
  const { from, to } = await scene();
  const nobody = await persons.in(to, false);
  const denied = persons.call(nobody, 'move', 'data', '--from', from, '-n', to);
  expect([await denied.code(), denied.err]).toEqual([
    1,
    expect.stringContaining(`you may not get storagetransferrequests in namespace ${to}`),
  ]);
  const misspelt = persons.call(nobody, 'move', 'pod/data', '--from', from, '-n', to);
  expect([await misspelt.code(), misspelt.err]).toEqual([2, expect.stringContaining('write pvc/<name>')]);
});

test('a claim is offered and accepted by the lines that are printed', async () => {
  const { transfer, from, to, owner, wanting } = await scene();
  const offer = persons.call(owner, 'offer', 'pvc/data', '--to', to, '-n', from, '--yes');
  expect([await offer.code(), offer.out]).toEqual([0, expect.stringContaining('The volume is safe.')]);
  const accept = persons.type(wanting, lineIn(offer.out, 'longshore accept'), '--wait');
  await accept.says('the volume is offered and fits');
  const waiting = persons.call(owner, 'pending', '-n', from);
  expect([await waiting.code(), waiting.out]).toEqual([
    3,
    expect.stringContaining(`kubectl delete pvc/data -n ${from}`),
  ]);
  await client.delete(transfer.source);
  expect(await accept.code()).toBe(0);
  await expectTransferred(client, transfer);
});

test('an offer is taken back', async () => {
  const { transfer, from, to, owner } = await scene();
  const offer = persons.call(owner, 'offer', 'data', '--to', `${to}/other`, '-n', from, '--yes', '--no-wait');
  expect(await offer.code()).toBe(0);
  const untilTakenBack = async () => {
    const cancel = persons.call(owner, 'cancel', 'offer/data', '-n', from);
    if ((await cancel.code()) === 0) return;
    // Longshore has marked the claim meanwhile.
    expect(cancel.err).toContain('nothing was done');
    await untilTakenBack();
  };
  await untilTakenBack();
  const { metadata } = await client.until<typeof transfer.source>(transfer.source);
  expect(metadata.annotations?.transferRequest).toBeUndefined();
});
