/** What comes of work on each item, in the order of the items; no more than so many are worked on at a time. */
export async function sideBySide<Item, Result>(
  items: readonly Item[],
  max: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const left = items.entries();
  const one = async () => {
    for (const [at, item] of left) results[at] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(max, items.length) }, one));
  return results;
}
