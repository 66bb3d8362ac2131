/** The lists of kinds that a cluster does not have: as empty as others, but what is missing can be told apart. */
const lists = new WeakSet<readonly unknown[]>();

export function listOfLackingKind<T>(): T[] {
  const list: T[] = [];
  lists.add(list);
  return list;
}

/** True if the list is empty because the cluster does not have the kind. */
export function isOfLackingKind(list: readonly unknown[]): boolean {
  return lists.has(list);
}
