/** The items of all lists, one of each in turn: a long list does not delay a short one. */
export function roundRobin<Item>(lists: readonly (readonly Item[])[]): Item[] {
  const items: Item[] = [];
  let left = lists;
  for (let turn = 0; left.length > 0; turn++) {
    left = left.filter(({ length }) => length > turn);
    for (const list of left) items.push(list[turn] as Item);
  }
  return items;
}
