import type { FoundItem } from '../../lib/buckets/sweep/finding.ts';
import type { Answered } from '../../lib/buckets/sweep/missing.ts';
import { type Drivers, type SweptStore, storeOfContent, storesOf } from '../../lib/buckets/sweep/stores.ts';
import { contentsIn, isOurs, isServed, parametersOf, type Views } from '../../lib/buckets/sweep/views.ts';
import type { Parameters } from '../../lib/drivers/driver.ts';
import type { Expected, FindOwnedRequest, Lacking } from '../../lib/drivers/owned.ts';
import { messageOf } from '../../lib/redaction.ts';
import { sideBySide } from '../../lib/side-by-side.ts';
import { type Access, type Reading, readDriverSecret } from './read.ts';

export interface Stores extends Access {
  drivers: Drivers;
  /** Which deployment this is: without it, all contents count as its own. */
  identity: string;
  /** In milliseconds since 1970. */
  deadline: number;
  now: () => Date;
}

/** So many stores are looked into at a time: IAM answers some twenty questions a second, for a whole account. */
const storesAtOnce = 4;

export interface Looked extends Answered {
  stores: ReadonlyMap<string, SweptStore>;
  /** The drivers that have a store which has not answered. */
  silent: string[];
}

/** What there is in all stores. One that does not answer is said, and does not keep the others. */
export async function lookIntoStores(access: Stores, before: Views): Promise<Reading<Looked>> {
  const stores = storesOf(before, access.drivers);
  const lacking = new Map<string, readonly Lacking[]>();
  const found: FoundItem[] = [];
  const problems: string[] = [];
  const silent = new Set<string>();
  await sideBySide(stores, storesAtOnce, async (store) => {
    const answer = await ask(access, store, expectedIn(store, before, access));
    if ('problem' in answer) {
      problems.push(answer.problem);
      silent.add(store.driverName);
    } else {
      lacking.set(store.key, answer.lacking);
      for (const item of answer.items) found.push({ store: store.key, driver: store.driverName, item });
    }
  });
  const byKey = new Map(stores.map((store) => [store.key, store]));
  return { value: { stores: byKey, found: once(found, byKey), lacking, silent: [...silent] }, problems };
}

async function ask(access: Stores, store: SweptStore, expected: Expected[]) {
  const { driver, driverName, parameters } = store;
  const where = `The store of ${driverName} at ${parameters.endpoint} could not be looked into`;
  try {
    const secrets = await secretsOf(access, store);
    const { clusters } = access;
    const request: FindOwnedRequest = { parameters, secrets, deadline: deadlineFor(access), expected, clusters };
    const outcome = await driver.findOwned(request);
    return outcome.result === 'found' ? outcome : { problem: `${where}: ${outcome.message}` };
  } catch (error) {
    return { problem: `${where}: ${messageOf(error)}` };
  }
}

/** A store that takes all the time that it is given leaves half of what there is to the others. */
function deadlineFor({ deadline, now }: Stores): number {
  const start = now().getTime();
  return start + Math.floor((deadline - start) / 2);
}

export async function secretsOf(access: Access, { secret }: SweptStore): Promise<Parameters> {
  return secret ? readDriverSecret(access, secret) : {};
}

/** What our contents of a store have been told is there. */
function expectedIn(store: SweptStore, before: Views, { drivers, identity }: Stores): Expected[] {
  return contentsIn(before).flatMap(({ cluster, content }) => {
    if (!isServed(content) || !isOurs(content, identity)) return [];
    if (storeOfContent(cluster, content, drivers)?.key !== store.key) return [];
    const { bucketRef, bucketIdentifier: bucket = '' } = content.spec;
    return [{ owner: bucketRef.uuid, bucket, parameters: parametersOf(content, store.driver) }];
  });
}

/** Users are the same for all regions of a store, and two drivers may serve one store. */
function once(found: readonly FoundItem[], stores: ReadonlyMap<string, SweptStore>): FoundItem[] {
  const known = new Map<string, FoundItem>();
  for (const each of found) {
    const { kind, name } = each.item;
    const { endpoint, iamEndpoint } = stores.get(each.store)?.parameters ?? {};
    const key = JSON.stringify([kind === 'bucket' ? endpoint : iamEndpoint, kind, name]);
    if (!known.has(key)) known.set(key, each);
  }
  return [...known.values()];
}
