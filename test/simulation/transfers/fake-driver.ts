import type { Claim, Condition, Volume } from '../../../lib/kubernetes/objects.ts';
import { amountOf } from '../../../lib/kubernetes/quantity.ts';
import { nameOf, resources } from '../../../lib/kubernetes/resources.ts';
import { type FakeCluster, nameOfObject } from '../fake-cluster.ts';

const type = 'Resizing';

/** What the resizer of a driver does, one write at a time: it says that it has begun, and later what came of it. */
export class FakeDriver {
  private readonly cluster: FakeCluster;

  constructor(cluster: FakeCluster) {
    this.cluster = cluster;
  }

  /** Answers whether there was anything to do. */
  sync(): boolean {
    return this.cluster.all(resources.claim).some((claim) => this.syncClaim(claim));
  }

  private syncClaim(claim: Claim): boolean {
    const volume = this.cluster.read(nameOf(resources.volume, undefined, claim.spec.volumeName || 'none'));
    const { storage = '' } = claim.spec.resources?.requests ?? {};
    const isOurs = volume?.spec.claimRef?.uid === claim.metadata.uid && claim.status?.phase === 'Bound';
    const isWanted = volume && isOurs && amountIn(storage) > amountIn(volume.spec.capacity?.storage);
    if (isWanted && !resizingSince(claim)) return this.say(claim, [begun(this.cluster.now())]);
    if (isWanted) this.cluster.update(nameOfObject(volume), { spec: { capacity: { storage } } });
    return resizingSince(claim) ? this.say(claim, []) : false;
  }

  private say(claim: Claim, own: Condition[]): true {
    const others = claim.status?.conditions?.filter((condition) => condition.type !== type) ?? [];
    this.cluster.update(nameOfObject(claim), { status: { conditions: [...others, ...own] } }, undefined, 'status');
    return true;
  }
}

function begun(now: Date): Condition {
  return { type, status: 'True', reason: '', message: '', lastTransitionTime: now.toISOString() };
}

/** Since when the driver has been at work on the volume of a claim. */
export function resizingSince({ status }: Claim): number | undefined {
  const found = status?.conditions?.find((condition) => condition.type === type);
  return found && Date.parse(found.lastTransitionTime ?? '');
}

/** The larger of what a volume has and what its claim asks for. */
export function neededBy(volume: Volume | undefined, claim: Claim | undefined): string {
  const [has = '', asked = ''] = [volume?.spec.capacity?.storage, claim?.spec.resources?.requests?.storage];
  return amountIn(asked) > amountIn(has) ? asked : has;
}

/** Whether the quota of its namespace counts this claim for as much. */
export function countsFor({ spec }: Claim, amount: string | undefined): boolean {
  return amountIn(spec.resources?.requests?.storage) >= amountIn(amount);
}

function amountIn(quantity: string | undefined): number {
  return amountOf(quantity) ?? 0;
}
