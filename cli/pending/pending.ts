import type { Bucket } from '../../lib/capabilities/buckets/objects.ts';
import type { VolumeSnapshotLink } from '../../lib/capabilities/data-sources/objects.ts';
import { isClusterError } from '../../lib/kubernetes/errors.ts';
import type { ClusterObject, TransferApproval, TransferRequest } from '../../lib/kubernetes/objects.ts';
import type { Resource } from '../../lib/kubernetes/resource.ts';
import { collectionPath, resources } from '../../lib/kubernetes/resources.ts';
import { bucketWaits } from '../bucket/progress.ts';
import type { ClusterOptions, NamespaceOptions } from '../connect/options.ts';
import { exitCodes } from '../exit-codes.ts';
import { agoText } from '../objects/age.ts';
import type { ClaimWithCapacity } from '../objects/claims.ts';
import { explained, lackingRight } from '../objects/refusals.ts';
import { inCluster, type Work } from '../objects/work.ts';
import { type OutputForm, textOf } from '../terminal/output.ts';
import { printable } from '../terminal/printable.ts';
import { shellLine } from '../terminal/shell-line.ts';
import { dataWaiting, transfersWaiting } from './claims.ts';
import { approvalsWaiting, requestsWaiting } from './transfers.ts';
import { partyOf, saidBy, type Wait } from './wait.ts';
import { turnInBucket } from './whose-turn.ts';

export interface PendingOptions extends ClusterOptions, NamespaceOptions {
  output?: OutputForm;
}

export async function pending(options: PendingOptions): Promise<void> {
  await inCluster(options, (work) => pendingIn(work, options));
}

/** In the cluster that the work is in. */
export async function pendingIn(work: Work, { allNamespaces, output }: PendingOptions): Promise<number> {
  const { namespace, user, reach } = work;
  const seen = new Seen(work, allNamespaces ? undefined : namespace);
  const waits = await waitsIn(seen, (each) => allNamespaces === true || each === namespace);
  waits.sort((one, other) => one.since.localeCompare(other.since));
  const own = waits.filter(({ waitsFor }) => waitsFor.is === 'you').length;
  const now = Date.now();
  if (output !== undefined) user.tell(textOf(listingOf(waits, now), output));
  else for (const wait of waits) user.tell(blockOf(wait, now, reach));
  for (const lacking of seen.lacking) user.remark(`Not everything was seen: ${lacking}.`);
  const where = allNamespaces ? 'the cluster' : `namespace ${namespace}`;
  user.remark(`${waits.length} wait in ${where}, ${own} of them for you.`);
  if (own > 0) return exitCodes.found;
  // Whoever may see nothing has found nothing, which must not look as if nothing waited.
  return seen.isBlind ? exitCodes.failed : exitCodes.done;
}

/** What could be read, and what could not. */
class Seen {
  readonly lacking: string[] = [];
  /** What is in the caller's own namespace could not be seen. */
  isBlind = false;
  readonly namespace: string | undefined;
  private readonly api: Work['api'];

  constructor({ api }: Work, namespace: string | undefined) {
    this.api = api;
    this.namespace = namespace;
  }

  /** None of a kind that the cluster does not have. */
  async list<T extends ClusterObject>(resource: Resource<T>, namespace = this.namespace): Promise<T[]> {
    const found = await this.listed(resource, namespace);
    if (!found) this.isBlind = true;
    return found ?? [];
  }

  /** Of all namespaces, where that is allowed: other namespaces may request what is in this one. */
  async listEverywhere<T extends ClusterObject>(resource: Resource<T>): Promise<T[]> {
    return (await this.listed(resource, undefined)) ?? (this.namespace === undefined ? [] : this.list(resource));
  }

  private async listed<T extends ClusterObject>(resource: Resource<T>, namespace: string | undefined) {
    try {
      return (await this.api.list<T>(collectionPath(resource, namespace))) ?? [];
    } catch (error) {
      const deed = { verb: 'list', resource, namespace } as const;
      if (!isClusterError(error, 'denied')) throw explained(deed, error);
      this.lacking.push(lackingRight(deed));
      return undefined;
    }
  }
}

async function waitsIn(seen: Seen, isOwn: (namespace: string) => boolean): Promise<Wait[]> {
  const claims = await seen.list<ClaimWithCapacity>(resources.claim as Resource<ClaimWithCapacity>);
  const links = claims.some(({ spec }) => spec.dataSourceRef?.kind === 'VolumeSnapshotLink')
    ? await seen.list<VolumeSnapshotLink>(resources.snapshotLink)
    : [];
  return [
    ...requestsWaiting(await seen.listEverywhere<TransferRequest>(resources.transferRequest), isOwn),
    ...approvalsWaiting(await seen.list<TransferApproval>(resources.transferApproval), isOwn),
    ...transfersWaiting(claims, isOwn),
    ...dataWaiting(claims, links, isOwn),
    ...bucketsWaiting(await seen.list<Bucket>(resources.bucket)),
  ];
}

function bucketsWaiting(buckets: readonly Bucket[]): Wait[] {
  return buckets.flatMap((bucket) => {
    const { metadata, status } = bucket;
    const { namespace = '', name } = metadata;
    const condition = bucketWaits(bucket);
    if (!condition && status?.phase === 'Bound') return [];
    const said = saidBy(metadata, condition);
    const turn = turnInBucket(said.reason);
    const waitsFor = turn === 'bucket' ? ({ is: 'you' } as const) : ({ is: turn } as const);
    const command = ['longshore', 'bucket', 'get', name, '-n', namespace, '-o', 'wide'];
    return [{ waitsFor, object: `bucket/${name}`, namespace, ...said, command }];
  });
}

function blockOf(wait: Wait, now: number, reach: readonly string[]): string {
  const { object, namespace, since, reason, message, command } = wait;
  const party = partyOf(wait);
  // The other side has a kubeconfig of its own.
  const line = shellLine(wait.waitsFor.is === 'namespace' ? command : [...command, ...reach]);
  const turn = wait.waitsFor.is === 'nobody' ? 'goes on by itself' : `waits for ${party}`;
  return `${printable(`${object} -n ${namespace} ${turn}`)} (${agoText(now - Date.parse(since))})
  ${printable(reason)}: ${printable(message)}
  ${wait.waitsFor.is === 'namespace' ? `for ${printable(party)}: ` : ''}${line}
`;
}

function listingOf(waits: readonly Wait[], now: number) {
  const items = waits.map((wait) => {
    const { object, namespace, since, reason, message, command } = wait;
    const cells = [partyOf(wait), namespace, object, reason, agoText(now - Date.parse(since)), message];
    const value = { ...wait, waitsFor: partyOf(wait), command: shellLine(command) };
    return { name: object, cells, more: [shellLine(command)], value };
  });
  return {
    heading: ['WAITING ON', 'NAMESPACE', 'OBJECT', 'REASON', 'AGE', 'MESSAGE'],
    headingMore: ['COMMAND'],
    items,
  };
}
