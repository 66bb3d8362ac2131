import { takenOn } from '../../../lib/capabilities/data-sources/taken.ts';
import type { Claim, Volume } from '../../../lib/kubernetes/objects.ts';
import { nameOf, resources } from '../../../lib/kubernetes/resources.ts';
import { Violation } from '../capability.ts';
import type { FakeCluster } from '../fake-cluster.ts';
import type { PendingCall } from '../gate.ts';
import type { Holdings, Taken } from './holdings.ts';
import { place } from './objects.ts';
import type { Wishes } from './wishes.ts';

/** What was read longer ago than this is not to be relied on. */
const maxTrustMs = 5_000;

/** What Longshore does to volumes: which it gives to whom, and which it lets go. */
export class HandOvers {
  private readonly cluster: FakeCluster;
  private readonly holdings: Holdings;
  private readonly wishes: Wishes;
  /** The claim that each volume was handed to, by uid. */
  private readonly handed = new Map<string, string>();
  /** Volumes that are or were bound to somebody's claim. */
  private readonly used = new Set<string>();

  constructor(cluster: FakeCluster, holdings: Holdings, wishes: Wishes) {
    this.cluster = cluster;
    this.holdings = holdings;
    this.wishes = wishes;
  }

  noteVolume({ metadata, spec }: Volume): void {
    const { namespace, name = '', uid } = spec.claimRef ?? {};
    if (namespace === place.system) this.holdings.ofPrimes.add(metadata.name);
    if (!uid || namespace === place.system) return;
    const claim = this.cluster.read(nameOf(resources.claim, namespace, name));
    if (claim?.metadata.uid === uid && claim?.spec.volumeName === metadata.name) this.used.add(metadata.name);
  }

  isHanded({ metadata }: Claim, volume: string): boolean {
    return this.handed.get(volume) === metadata.uid;
  }

  /** A write of ours on a volume. */
  check(before: Volume | undefined, after: Volume, call: PendingCall): void {
    if (!before) throw new Violation('Longshore makes a volume');
    const { name } = after.metadata;
    const policy = after.spec.persistentVolumeReclaimPolicy;
    // What was taken in error gets its own policy back also when somebody else has been given it since.
    const isOwn = takenOn(before)?.policy === policy;
    if (policy !== before.spec.persistentVolumeReclaimPolicy && this.used.has(name) && !isOwn) {
      throw new Violation(`the policy of ${name} is changed, which is in use`);
    }
    const isReferring = JSON.stringify(before.spec.claimRef) !== JSON.stringify(after.spec.claimRef);
    if (!isReferring) return;
    if (isUnreserved(before, after) && !this.used.has(name)) return;
    if (before.spec.claimRef?.namespace !== place.system) throw new Violation(`${name} is taken from its claim`);
    if (after.spec.claimRef) this.checkHandOver(after, before, call);
    else this.checkFreed(after);
  }

  /** Only what was taken in error is made free again. */
  private checkFreed(volume: Volume): void {
    if (!isFree(volume)) throw new Violation('a volume with a copy of a snapshot is left to any claim');
  }

  private checkHandOver(volume: Volume, before: Volume, { issuedAt }: PendingCall): void {
    const { namespace, name = '', uid = '' } = volume.spec.claimRef ?? {};
    if (!uid) throw new Violation('a volume is handed to whoever has the name of the claim');
    if (before.spec.claimRef?.name !== `populate-${uid}`) throw new Violation('a volume is handed to another claim');
    if (volume.metadata.name !== `pvc-${before.spec.claimRef?.uid}` || isFree(volume)) {
      throw new Violation('a volume is handed over that was not made for the prime claim');
    }
    const claim = this.cluster.read(nameOf(resources.claim, namespace, name));
    if (claim && claim.metadata.uid !== uid && claim.metadata.uid === undefined) throw new Violation('no such claim');
    const origins = this.holdings.originsOf(volume);
    if (origins.length === 0)
      throw new Violation('a volume is handed over that does not hold the data of any snapshot');
    const since = issuedAt - maxTrustMs;
    if (!origins.some((taken) => this.wishes.wasWanted(uid, taken, since))) {
      throw new Violation('a volume is handed over with the data of a snapshot that is not asked for');
    }
    if (!origins.some((taken) => this.mayHave(uid, taken, since))) {
      throw new Violation('a volume is handed over although its snapshot is not granted, or is another one by now');
    }
    this.handed.set(volume.metadata.name, uid);
  }

  private mayHave(claim: string, taken: Taken, since: number): boolean {
    return (
      this.wishes.wasWanted(claim, taken, since) &&
      this.wishes.wasGranted(claim, taken, since) &&
      this.wishes.wasThere(taken, since)
    );
  }
}

function isFree({ metadata }: Volume): boolean {
  return metadata.name.startsWith('free-');
}

/** What is kept for whichever claim has its name next is given to one that never was: only so its provisioner deletes it. */
function isUnreserved(before: Volume, after: Volume): boolean {
  const [from, to] = [before.spec.claimRef, after.spec.claimRef];
  const isSameName = from?.namespace === to?.namespace && from?.name === to?.name;
  return isSameName && !from?.uid && to?.uid === '00000000-0000-0000-0000-000000000000';
}
