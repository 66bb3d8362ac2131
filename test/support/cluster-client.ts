import { randomBytes } from 'node:crypto';
import type {
  ClaimSpec,
  ObjectMeta,
  ReclaimPolicy,
  TransferApproval,
  TransferRequest,
} from '../../lib/kubernetes/objects.ts';
import type { Place } from '../../lib/kubernetes/places.ts';
import { ClusterClient as LocalClient } from '../../tools/local/cluster-client.ts';
import {
  claim,
  type TransferParts,
  transferApproval,
  transferRequest,
  volume,
} from '../../tools/local/transfer-objects.ts';
import { defaultWaitMs } from './patience.ts';

/** A user of the cluster who waits as long as a busy machine may need. */
export class ClusterClient extends LocalClient {
  constructor(kubeconfigPath: string, waitMs = defaultWaitMs) {
    super(kubeconfigPath, waitMs);
  }
}

/** No class of this name exists: nothing provisions, and a claim binds to the volume that was made for it. */
const className = 'made-by-hand';

/** What is to be different from an ordinary transfer, whose two claims are in namespaces of their own. */
export interface Shape {
  source?: Place;
  target?: Place;
  policy?: ReclaimPolicy;
  metadata?: Pick<ObjectMeta, 'labels' | 'annotations' | 'ownerReferences' | 'finalizers'>;
  /** What the specs of the volume and of both claims have, such as their class. */
  both?: Partial<ClaimSpec>;
  volume?: Record<string, unknown>;
}

/** The objects of a transfer, under names that no other test uses. None of them is made. */
export function planTransfer({ metadata, both, volume: ofVolume, policy, ...places }: Shape = {}) {
  const suffix = randomBytes(4).toString('hex');
  const parts: TransferParts = {
    name: `move-${suffix}`,
    source: { namespace: `source-${suffix}`, name: 'data' },
    target: { namespace: `target-${suffix}`, name: 'data' },
    ...places,
  };
  const parent = { name: `volume-${suffix}`, className, path: `/tmp/${suffix}`, claim: parts.source };
  const plain = {
    volume: volume({ ...parent, ...(policy ? { policy } : {}) }),
    source: claim(parts.source, className),
  };
  const target = claim(parts.target, className);
  const made: typeof plain.volume = { ...plain.volume, spec: { ...plain.volume.spec, ...both, ...ofVolume } };
  return {
    volume: made,
    source: {
      ...plain.source,
      metadata: { ...plain.source.metadata, ...metadata },
      spec: { ...plain.source.spec, ...both },
    },
    target: { ...target, spec: { ...target.spec, ...both } },
    request: transferRequest(parts),
    approval: transferApproval(parts),
  };
}

export type Transfer = ReturnType<typeof planTransfer>;

/** The two namespaces, and in them what a transfer begins with: a claim that is bound to its volume. */
export async function makeTransfer(client: ClusterClient, onClaim: () => void = () => {}, shape: Shape = {}) {
  const transfer = planTransfer(shape);
  await makeNamespaces(client, transfer);
  await client.create(transfer.volume);
  onClaim();
  const source = await client.create(transfer.source);
  await client.until(source, ({ status }) => status?.phase === 'Bound');
  return { ...transfer, source };
}

/** Those that are there already stay. */
export async function makeNamespaces(client: ClusterClient, { source, target }: Transfer): Promise<void> {
  const names = new Set([source, target].map(({ metadata }) => metadata.namespace ?? ''));
  await Promise.all([...names].map((name) => makeNamespace(client, name)));
}

async function makeNamespace(client: ClusterClient, name: string): Promise<void> {
  if (!(await client.get({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })))
    await client.createNamespace(name);
}

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
