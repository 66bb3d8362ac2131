import type { MissingResource } from '../drivers/sweepable-driver.ts';
import { type Finding, type FoundItem, nameOfItem } from './finding.ts';
import { accountOf, type Drivers, storeOfContent } from './stores.ts';
import { type HeldKeys, type PlacedContent, placeOf } from './views.ts';

/** The answers of the stores. */
export interface StoreContents {
  found: readonly FoundItem[];
  /** By the keys of the stores that answered. */
  lacking: ReadonlyMap<string, readonly MissingResource[]>;
}

/** Resources that consumers rely on, and that do not exist. */
export function findMissing(
  steady: readonly PlacedContent[],
  answered: StoreContents,
  held: HeldKeys,
  drivers: Drivers,
): Finding[] {
  const users = Map.groupBy(
    answered.found.filter(({ item }) => item.kind === 'user'),
    ({ item }) => item.owner,
  );
  return steady.flatMap((placed) => {
    const store = storeOfContent(placed.cluster, placed.content, drivers);
    const lacking = store && answered.lacking.get(store.key);
    if (!store || !lacking) return [];
    const about = { driver: store.driverName, store: store.key };
    const { bucketRef, bucketIdentifier = '' } = placed.content.spec;
    const gone = lacking.filter(({ owner }) => owner === bucketRef.uuid).map(({ what }) => what);
    const findings = gone.map((what) => missing(placed, about, what, `its ${what} ${nameIn(what, bucketIdentifier)}`));
    // Another account may have a user of the same owner.
    const account = accountOf(store, 'user');
    const there = (users.get(bucketRef.uuid) ?? []).filter(({ accounts }) => accounts.includes(account));
    if (gone.includes('credentials') || there.length === 0 || !held.has(placeOf(placed))) return findings;
    const key = held.get(placeOf(placed));
    if (there.some(({ item }) => item.keys.some(({ id }) => id === key))) return findings;
    const what = key ? `the key ${key} in its Secret does not exist` : 'its Secret has no key';
    return [...findings, missing(placed, about, 'credentials', what)];
  });
}

function nameIn(what: MissingResource['what'], bucket: string): string {
  return what === 'bucket' ? `${bucket} does not exist` : 'do not exist: the user or role is gone';
}

function missing(
  { cluster, content }: PlacedContent,
  about: { driver: string; store: string },
  kind: MissingResource['what'],
  what: string,
): Finding {
  const { metadata, spec, status } = content;
  const name = nameOfItem('bucketcontent', metadata.name);
  const message = `The BucketContent ${metadata.name} is ${status?.phase}, and ${what}`;
  return { verdict: 'missing', name, kind, ...about, cluster, owner: spec.bucketRef.uuid, madeAt: undefined, message };
}
