/** What Node 20 lacks of the language and the code uses; `deployment/package/tsconfig.json` finds any other such use. */

Map.groupBy ??= function groupBy<Item, Key>(items: Iterable<Item>, keyOf: (item: Item, index: number) => Key) {
  const groups = new Map<Key, Item[]>();
  let index = 0;
  for (const item of items) {
    const key = keyOf(item, index);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
    index += 1;
  }
  return groups;
};

Promise.withResolvers ??= function withResolvers<Value>() {
  let resolve: (value: Value | PromiseLike<Value>) => void = () => {};
  let reject: (reason?: unknown) => void = () => {};
  const promise = new Promise<Value>((onValue, onError) => {
    resolve = onValue;
    reject = onError;
  });
  return { promise, resolve, reject };
};
