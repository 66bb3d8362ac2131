import type { OwnedKey, OwnedResource } from '../drivers/sweepable-driver.ts';
import { type Finding, type FoundItem, nameOfItem, type Verdict } from './finding.ts';
import {
  claimedBuckets,
  contentsIn,
  type HeldKeys,
  isOurs,
  isServed,
  type PlacedContent,
  placeOf,
  type Views,
} from './views.ts';

export interface Evidence {
  /** The resources in the stores. */
  found: readonly FoundItem[];
  /** The clusters' objects as read afterwards: a resource is created after its object. */
  after: Views;
  /** All configured clusters, read or not. */
  clusters: readonly string[];
  held: HeldKeys;
  now: Date;
  /** The account in which a content's resources are. */
  accountOf: (placed: PlacedContent, kind: OwnedResource['kind']) => string | undefined;
}

/** IAM allows a user two. */
const maxKeysNamed = 4;

/** A younger key may not have reached its Secret yet. */
export const minOrphanAgeMs = 60 * 60_000;

/** The resources in the stores that no object of any cluster accounts for. */
export function findOrphans(evidence: Evidence): Finding[] {
  const living = Map.groupBy(contentsIn(evidence.after), ({ content }) => content.spec.bucketRef.uuid);
  const claimed = claimedBuckets(evidence.after);
  return evidence.found.flatMap((found) => {
    const { kind, name, owner } = found.item;
    const owners = living.get(owner);
    if (owners) return unusedKeys(found, owners, evidence);
    return kind === 'bucket' && claimed.has(name) ? [] : [findingFor(found, evidence)];
  });
}

function findingFor({ item, driver, store, believedOf }: FoundItem, evidence: Evidence): Finding {
  const { kind, owner, madeAt } = item;
  const verdict = verdictFor(item, evidence);
  const name = nameOfItem(kind, item.name);
  const about = { verdict, name, kind, driver, owner, madeAt, store };
  const sentence = sentences[verdict](item);
  const isBelieved = !believedOf || verdict === 'elsewhere' || (item.cluster && believedOf.includes(item.cluster));
  if (isBelieved) return { ...about, cluster: item.cluster, message: sentence };
  const said = item.cluster === undefined ? '' : `, though it says ${item.cluster}, which does not use that store`;
  return { ...about, cluster: undefined, clusters: believedOf, message: `${sentence}${said}` };
}

function verdictFor({ kind, cluster }: OwnedResource, { after, clusters }: Evidence): Verdict {
  if (after.unread.length > 0) return 'undecided';
  if (cluster !== undefined && !clusters.includes(cluster)) return 'elsewhere';
  return kind === 'bucket' ? 'unclaimed' : 'orphaned';
}

const sentences: Record<Verdict, (item: OwnedResource) => string> = {
  orphaned: ({ kind, name, keys }) => `The ${kind} ${name} belongs to a Bucket that is gone${withKeys(keys)}`,
  unclaimed: ({ name }) => `The bucket ${name} belongs to no BucketContent: it may have been kept on purpose`,
  elsewhere: ({ kind, name, cluster }) =>
    `The ${kind} ${name} belongs to the cluster ${cluster}, which is not configured here`,
  undecided: ({ kind, name }) => `The ${kind} ${name} may belong to a cluster that could not be read`,
  missing: ({ kind, name }) => `The ${kind} ${name} does not exist`,
};

function withKeys(keys: readonly OwnedKey[]): string {
  const named = keys.slice(0, maxKeysNamed).map(({ id }) => id);
  return keys.length > 0 ? `, and has the keys ${named.join(' and ')}` : '';
}

/**
 * A consumer has one key. Any other was lost, or created by hand. A copy of a cluster has the same owners, and its own
 * Secrets: a key that any of them holds, or may hold, is kept. While a Secret is missing, such as to get another key, it is
 * unknown which of the keys workloads still use.
 */
function unusedKeys(
  { item, driver, store, accounts }: FoundItem,
  owners: readonly PlacedContent[],
  evidence: Evidence,
): Finding[] {
  const { owner, name: user, keys, kind } = item;
  // A resource of the same name in another account is not theirs.
  const [first] = owners.filter((placed) => accounts.includes(evidence.accountOf(placed, kind) ?? ''));
  if (!first) return [];
  const held = owners.map((placed) => evidence.held.get(placeOf(placed)));
  if (!held.every(Boolean)) return [];
  const { cluster } = first;
  const old = keys.filter(({ id, madeAt }) => !held.includes(id) && !isTooYoung(madeAt, evidence.now));
  return old.map(({ id, madeAt }) => {
    const message = `The key ${id} of the user ${user} is not the one in its Secret`;
    const about = { driver, cluster, owner, madeAt, store, user, message };
    return { verdict: 'orphaned', name: nameOfItem('key', id), kind: 'key', ...about };
  });
}

/** A resource of unknown age counts as old. */
export function isTooYoung(madeAt: number | undefined, now: Date): boolean {
  return madeAt !== undefined && now.getTime() - madeAt < minOrphanAgeMs;
}

/** Our contents that were served before the stores were read and still are, unchanged: their resources must exist. */
export function steadyContents(before: Views, after: Views, identity: string): PlacedContent[] {
  const versions = new Map(contentsIn(before).map((placed) => [placeOf(placed), placed.content.metadata]));
  return contentsIn(after).filter((placed) => {
    const { uid, resourceVersion } = placed.content.metadata;
    const former = versions.get(placeOf(placed));
    if (!isServed(placed.content) || !isOurs(placed.content, identity)) return false;
    return former?.uid === uid && former?.resourceVersion === resourceVersion;
  });
}
