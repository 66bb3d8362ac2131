import { expect } from '@jest/globals';
import type {
  Claim,
  ClusterObject,
  Condition,
  ObjectMeta,
  TransferRequest,
  Volume,
} from '../../lib/kubernetes/objects.ts';
import type { ClusterClient, Transfer } from '../support/cluster-client.ts';
import { until } from '../support/patience.ts';

interface Telling {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
  status?: { conditions?: Condition[] };
}

/** Waits until one of an object's conditions has this reason, and answers what is said then. */
export async function untilReason(client: ClusterClient, object: Telling, reason: string): Promise<Condition> {
  const said = ({ status }: Telling) => status?.conditions?.find((condition) => condition.reason === reason);
  const { apiVersion, kind, metadata } = object;
  const found = await client.until<Telling>({ apiVersion, kind, metadata }, (each) => said(each) !== undefined);
  return said(found) as Condition;
}

/** What a claim says of its transfer by annotation. */
export async function untilTold(client: ClusterClient, claim: Claim, reason: string): Promise<Condition> {
  const said = ({ status }: Claim) => status?.conditions?.find(({ type }) => type === 'Transferred');
  const found = await client.until<Claim>(claim, (each) => said(each)?.reason === reason);
  return said(found) as Condition;
}

/** What the user has to act on is said in the error as well. */
export async function untilError(client: ClusterClient, { request }: Transfer, reason: string): Promise<string> {
  const { message } = await untilReason(client, request, reason);
  expect((await client.get<TransferRequest>(request))?.status?.error?.message).toBe(message);
  return message;
}

type Named = Pick<ClusterObject, 'apiVersion' | 'kind' | 'metadata'>;

/** Events are recorded while the work goes on, and may be there a moment after it. */
export async function untilEvents(client: ClusterClient, object: Named, ...reasons: string[]): Promise<void> {
  const found = new Set<string>();
  const areThere = async () => {
    for (const { reason } of await client.eventsAbout(object)) found.add(reason);
    return reasons.every((reason) => found.has(reason));
  };
  await until(`the Events ${reasons.join(', ')}`, areThere, { found: () => [...found] });
}

/** For what the server keeps in whole seconds, or is only told of when it lasts. */
export async function untilTime(time: number): Promise<void> {
  while (Date.now() < time) await new Promise((resolve) => setTimeout(resolve, 100));
}

export function untilBound(client: ClusterClient, claim: Claim): Promise<Claim> {
  return client.until<Claim>(claim, ({ status }) => status?.phase === 'Bound');
}

export function untilDeleting(client: ClusterClient, object: Claim): Promise<Claim> {
  return client.until<Claim>(object, ({ metadata }) => metadata.deletionTimestamp !== undefined);
}

export async function volumeOf(client: ClusterClient, { volume }: Transfer): Promise<Volume> {
  return client.until<Volume>(volume);
}

/** The target has the volume, with its own policy again, and nothing of the transfer is left on the volume. */
export async function expectMoved(client: ClusterClient, transfer: Transfer): Promise<Claim> {
  const isClean = ({ metadata }: Volume) => ownMarks(metadata).length === 0;
  const volume = await client.until<Volume>(transfer.volume, isClean);
  const target = await untilBound(client, transfer.target);
  expect(target.spec.volumeName).toBe(volume.metadata.name);
  expect(volume.spec.claimRef?.uid).toBe(target.metadata.uid);
  expect(volume.spec.persistentVolumeReclaimPolicy).toBe(transfer.volume.spec.persistentVolumeReclaimPolicy);
  return target;
}

/** The source has its volume as before, without a mark, and there is no target. */
export async function untilAsBefore(client: ClusterClient, transfer: Transfer): Promise<void> {
  const isFree = ({ metadata }: Claim) => ownMarks(metadata).length === 0;
  const source = await client.until<Claim>(transfer.source, isFree);
  const isClean = ({ metadata }: Volume) => ownMarks(metadata).length === 0;
  const volume = await client.until<Volume>(transfer.volume, isClean);
  await client.untilGone(transfer.target);
  expect(source.metadata.deletionTimestamp).toBeUndefined();
  expect(source.status?.phase).toBe('Bound');
  expect(volume.spec.claimRef?.uid).toBe(source.metadata.uid);
  expect(volume.spec.persistentVolumeReclaimPolicy).toBe(transfer.volume.spec.persistentVolumeReclaimPolicy);
}

function ownMarks({ annotations = {}, finalizers = [] }: ObjectMeta): string[] {
  const isOurs = (name: string) => name.startsWith('longshore.dev/') || name.endsWith('/transfer-status');
  return [...Object.keys(annotations), ...finalizers].filter(isOurs);
}
