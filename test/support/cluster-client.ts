import { randomBytes } from 'node:crypto';
import type { TransferApproval, TransferRequest } from '../../lib/cluster/objects.ts';
import { ClusterClient } from '../../tools/local/cluster-client.ts';
import {
  claim,
  type TransferParts,
  transferApproval,
  transferRequest,
  volume,
} from '../../tools/local/transfer-objects.ts';

/** No class of this name exists: nothing provisions, and a claim binds to the volume that was made for it. */
const className = 'made-by-hand';

/** A transfer with everything that users bring to it, under names that no other test uses. */
export async function makeTransfer(client: ClusterClient, onClaim: () => void = () => {}) {
  const suffix = randomBytes(4).toString('hex');
  const parts: TransferParts = {
    name: `move-${suffix}`,
    source: { namespace: `source-${suffix}`, name: 'data' },
    target: { namespace: `target-${suffix}`, name: 'data' },
  };
  await Promise.all([parts.source, parts.target].map(({ namespace }) => client.createNamespace(namespace)));
  const made = volume({ name: `volume-${suffix}`, className, path: `/tmp/${suffix}`, claim: parts.source });
  await client.create(made);
  onClaim();
  const source = await client.create(claim(parts.source, className));
  await client.until(source, ({ status }) => status?.phase === 'Bound');
  return {
    volume: made,
    source,
    target: claim(parts.target, className),
    request: transferRequest(parts),
    approval: transferApproval(parts),
  };
}

export type Transfer = Awaited<ReturnType<typeof makeTransfer>>;

/** Asks and agrees. */
export async function consent(client: ClusterClient, { request, approval }: Transfer): Promise<void> {
  await client.create(request);
  await client.create(approval);
}

/** The transfer is complete, as both sides see it. */
export async function untilComplete(client: ClusterClient, { request, approval }: Transfer): Promise<void> {
  const isComplete = ({ status }: TransferRequest | TransferApproval) => status?.complete === true;
  await client.until<TransferRequest>(request, isComplete);
  await client.until<TransferApproval>(approval, isComplete);
}

export { ClusterClient };
