import type { Owned } from '../../drivers/owned.ts';
import type { FoundItem } from './finding.ts';
import { accountOf, believedOf, type SweptStore } from './stores.ts';

/**
 * Users are the same for all regions of a store, two drivers may serve one store, and two administrators may have keys of one
 * account: what these tell in the same words is told once, and whatever differs may be of different accounts.
 */
export function once(found: readonly (readonly [SweptStore, Owned])[]): FoundItem[] {
  const told = new Set<string>();
  const known = new Map<string, FoundItem>();
  for (const [store, item] of found) {
    const account = accountOf(store, item.kind);
    const byAccount = JSON.stringify([account, item.kind, item.name]);
    if (told.has(byAccount)) continue;
    told.add(byAccount);
    const { endpoint, iamEndpoint } = store.parameters;
    const words = JSON.stringify([item.kind === 'bucket' ? endpoint : iamEndpoint, item]);
    const believed = believedOf(store);
    const before = known.get(words);
    const also = before?.believedOf;
    known.set(words, {
      store: before?.store ?? store.key,
      driver: before?.driver ?? store.driverName,
      item,
      accounts: [...(before?.accounts ?? []), account],
      believedOf: believed && (before ? also && [...new Set([...also, ...believed])] : believed),
    });
  }
  return [...known.values()];
}
