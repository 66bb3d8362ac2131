import { isHeld } from '../../lib/capabilities/transfers/by-annotation/claim-marks.ts';
import { isKeptVolume } from '../../lib/install/holders.ts';
import { isClusterError } from '../../lib/kubernetes/errors.ts';
import type { Claim, ClusterObject, Namespace, TransferRequest, Volume } from '../../lib/kubernetes/objects.ts';
import type { Resource } from '../../lib/kubernetes/resource.ts';
import { collectionPath, displayName, nameOf, objectPath, resources } from '../../lib/kubernetes/resources.ts';
import type { ClusterApi } from '../connect/cluster-api.ts';
import { isOnItsWay } from '../move/progress.ts';
import { follow } from '../objects/follow.ts';
import { attempt, ifAllowed } from '../objects/refusals.ts';
import type { User } from '../objects/user.ts';
import { offerAnnotation } from '../offer/annotations.ts';
import { demoLabel, isDemo } from './names.ts';

const { namespace: namespaces, claim: claims, volume: volumes } = resources;
/** A transfer takes a second while Longshore runs, and does not end otherwise. */
const maxTransferMs = 60_000;
const transfers: readonly Resource[] = [resources.transferRequest, resources.transferApproval];
const made: readonly Resource[] = [...transfers, resources.bucket, resources.snapshot, claims];

/** The namespaces of this demo, or of all that there were. Also those of which the answer to their creation was lost. */
export async function namespacesOf(api: ClusterApi, demo?: string): Promise<Namespace[]> {
  const labelSelector = demo === undefined ? demoLabel : `${demoLabel}=${demo}`;
  const deed = { verb: 'list', resource: namespaces } as const;
  const found = await attempt(deed, () => api.list<Namespace>(collectionPath(namespaces), { labelSelector }));
  return (found ?? []).filter(isDemo);
}

/** Removes these namespaces and what was made in them, and names what is still there when the time is over. */
export class CleanUp {
  private readonly api: ClusterApi;
  private readonly user: User;
  private readonly timeoutMs: number;

  constructor(api: ClusterApi, user: User, timeoutMs: number) {
    this.api = api;
    this.user = user;
    this.timeoutMs = timeoutMs;
  }

  /**
   * Transfers first: while Longshore runs, it ends what has begun, and gives each volume its own reclaim policy back.
   * Then what has finalizers, for which the deletion of a namespace would wait longer, and then the rest.
   */
  async remove(all: readonly Namespace[]): Promise<string[]> {
    const names = all.map(({ metadata }) => metadata.name);
    const unfinished = await this.endTransfers(names);
    // Longshore would keep the volume of a transfer that is interrupted now, until an administrator decides.
    if (unfinished.length > 0) return unfinished.map(({ kind, metadata }) => `${kind} ${displayName(metadata)}`);
    const used = await this.volumesOf(await this.claimsIn(names));
    for (const each of await this.listAll(made, names)) await this.deleteOf(made, each);
    await this.untilNone('everything is deleted', () => this.listAll(made, names));
    for (const each of all) await this.delete(namespaces, each);
    const isHere = async (each: Namespace) => ((await this.isThere(namespaces, each)) ? [each] : []);
    const left = await this.untilNone('namespaces are deleted', async () =>
      (await Promise.all(all.map(isHere))).flat(),
    );
    const isVolumeHere = async (each: Volume) => ((await this.isThere(volumes, each)) ? [each] : []);
    const kept = await this.untilNone('volumes are deleted', async () =>
      (await Promise.all(used.map(isVolumeHere))).flat(),
    );
    return [
      ...left.map(({ metadata }) => `Namespace ${metadata.name}`),
      ...kept.map(({ metadata }) => `PersistentVolume ${metadata.name}`),
    ];
  }

  /** What has been approved is let come to its end, as long as Longshore can be expected to do that. */
  private async endTransfers(names: readonly string[]): Promise<ClusterObject[]> {
    await this.withdrawOffers(names);
    const timeoutMs = Math.min(maxTransferMs, this.timeoutMs);
    const approved = async () => ((await this.approvals(names)).length > 0 ? this.incompleteRequests(names) : []);
    await this.untilNone('transfers end', approved, timeoutMs);
    for (const each of await this.incompleteRequests(names)) {
      if (!isOnItsWay(each)) await this.delete(resources.transferRequest, each, each.metadata.resourceVersion);
    }
    const unfinished = async () => [
      ...(await this.incompleteRequests(names)),
      ...(await this.claimsIn(names)).filter(isHeld),
      ...(await this.volumesOf(await this.claimsIn(names))).filter(isKeptVolume),
    ];
    return this.untilNone('transfers end', unfinished, timeoutMs);
  }

  private approvals(names: readonly string[]): Promise<ClusterObject[]> {
    return this.listAll([resources.transferApproval], names);
  }

  private async incompleteRequests(names: readonly string[]): Promise<TransferRequest[]> {
    const found = (await this.listAll([resources.transferRequest], names)) as TransferRequest[];
    return found.filter(({ status }) => status?.complete !== true);
  }

  private async withdrawOffers(names: readonly string[]): Promise<void> {
    for (const { metadata } of await this.claimsIn(names)) {
      const { namespace, name, uid, annotations, deletionTimestamp } = metadata;
      // The volume of a claim that was deleted is on its way to the other one.
      if (annotations?.[offerAnnotation] === undefined || deletionTimestamp) continue;
      const path = objectPath(nameOf(claims, namespace, name));
      const body = { metadata: { uid, annotations: { [offerAnnotation]: null } } };
      await unlessGone(() => this.api.patch(path, body));
    }
  }

  /** Waits, and answers what is still there when the time is over. */
  private async untilNone<T extends ClusterObject>(
    until: string,
    look: () => Promise<T[]>,
    timeoutMs = this.timeoutMs,
  ): Promise<T[]> {
    let left: T[] = [];
    await follow(this.user, timeoutMs, async () => {
      left = await look();
      const names = left.map(({ kind, metadata }) => `${kind ?? ''} ${displayName(metadata)}`.trim());
      return { stage: `waiting until ${until}: ${names.join(', ')}`, lines: [], isOver: left.length === 0 };
    });
    return left;
  }

  private async claimsIn(names: readonly string[]): Promise<Claim[]> {
    return (await this.listAll([claims], names)) as Claim[];
  }

  /** None of a kind that the cluster does not serve, or that this user may not list. */
  private async listAll(kinds: readonly Resource[], names: readonly string[]): Promise<ClusterObject[]> {
    const lists = kinds.flatMap((resource) =>
      names.map(async (namespace) => {
        const found = await ifAllowed(() => this.api.list<ClusterObject>(collectionPath(resource, namespace)));
        return (found ?? []).map((each) => ({ ...each, apiVersion: resource.apiVersion, kind: resource.kind }));
      }),
    );
    return (await Promise.all(lists)).flat();
  }

  private async volumesOf(all: readonly Claim[]): Promise<Volume[]> {
    const names = all.flatMap(({ spec }) => spec.volumeName || []);
    const found = await Promise.all(
      names.map((name) => ifAllowed(() => this.api.get<Volume>(objectPath({ resource: volumes, name })))),
    );
    return found.filter((each) => each !== undefined);
  }

  /** An object of the same name that somebody else has made since is another one. */
  private async isThere(resource: Resource, { metadata }: ClusterObject): Promise<boolean> {
    const path = objectPath(nameOf(resource, metadata.namespace, metadata.name));
    const found = await ifAllowed(() => this.api.get<ClusterObject>(path));
    return found?.metadata.uid === metadata.uid;
  }

  private async deleteOf(kinds: readonly Resource[], object: ClusterObject): Promise<void> {
    const resource = kinds.find(({ kind }) => kind === object.kind);
    if (resource) await this.delete(resource, object);
  }

  private async delete(resource: Resource, { metadata }: ClusterObject, resourceVersion?: string): Promise<void> {
    const { namespace, name, uid } = metadata;
    const deed = { verb: 'delete', resource, namespace, name } as const;
    const path = objectPath(nameOf(resource, namespace, name));
    await unlessGone(() =>
      attempt(deed, () => this.api.delete(path, uid, resourceVersion === undefined ? {} : { resourceVersion })),
    );
  }
}

/** Gone, or another one by now. */
async function unlessGone(act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (error) {
    const cause = error instanceof Error && error.cause ? error.cause : error;
    if (!isClusterError(cause, 'gone', 'conflict')) throw error;
  }
}
