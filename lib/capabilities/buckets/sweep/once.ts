import type { Owned } from '../drivers/owned.ts';
import type { FoundItem } from './finding.ts';
import { accountOf, addressFor, believedOf, type SweptStore } from './stores.ts';

/**
 * Users are the same for all regions of a store, two drivers may serve one store, and two administrators may have keys of one
 * account: what these tell in the same words is told once, and whatever differs may be of different accounts.
 */
export function once(found: readonly (readonly [SweptStore, Owned])[]): FoundItem[] {
  const byAccount = new Map<string, FoundItem>();
  const byWords = new Map<string, FoundItem>();
  for (const [store, item] of found) {
    const account = accountOf(store, item.kind);
    const inAccount = JSON.stringify([account, item.kind, item.name]);
    const words = JSON.stringify([addressFor(item.kind, store.parameters), item]);
    const believed = believedOf(store, item.kind);
    const before = byAccount.get(inAccount) ?? byWords.get(words);
    const about = before ?? { store: store.key, driver: store.driverName, item, accounts: [], believedOf: believed };
    about.accounts = [...new Set([...about.accounts, account])];
    about.believedOf = about.believedOf && believed && [...new Set([...about.believedOf, ...believed])];
    byAccount.set(inAccount, about);
    if (!before) byWords.set(words, about);
  }
  return [...byWords.values()];
}
