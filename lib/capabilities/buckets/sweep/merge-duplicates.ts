import type { OwnedResource } from '../drivers/sweepable-driver.ts';
import type { FoundItem } from './finding.ts';
import { accountOf, addressFor, believedOf, type SweptStore } from './stores.ts';

/**
 * All regions of a store have the same users, two drivers may serve one store, and two administrators may have keys of one
 * account: identical resources are merged, and different ones may belong to different accounts.
 */
export function mergeDuplicates(found: readonly (readonly [SweptStore, OwnedResource])[]): FoundItem[] {
  const byAccount = new Map<string, FoundItem>();
  const byContents = new Map<string, FoundItem>();
  for (const [store, item] of found) {
    const account = accountOf(store, item.kind);
    const inAccount = JSON.stringify([account, item.kind, item.name]);
    const contents = JSON.stringify([addressFor(item.kind, store.parameters), item]);
    const believed = believedOf(store, item.kind);
    const before = byAccount.get(inAccount) ?? byContents.get(contents);
    const about = before ?? { store: store.key, driver: store.driverName, item, accounts: [], believedOf: believed };
    about.accounts = [...new Set([...about.accounts, account])];
    about.believedOf = about.believedOf && believed && [...new Set([...about.believedOf, ...believed])];
    byAccount.set(inAccount, about);
    if (!before) byContents.set(contents, about);
  }
  return [...byContents.values()];
}
