import type { AnyObject } from './installable.ts';
import { collectionPath, type InstalledKind, systemNamespace } from './kinds.ts';
import { ourSelector } from './labels.ts';
import type { ObjectsApi } from './objects-api.ts';

/** Everything of these kinds that was installed by this command, whichever release it was. */
export async function findOurs(api: ObjectsApi, kinds: readonly InstalledKind[]): Promise<AnyObject[]> {
  const found = await Promise.all(
    kinds.map(async (kind) => {
      const path = collectionPath(kind, kind.namespaced ? systemNamespace : undefined);
      const items = (await api.list(path, { labelSelector: ourSelector })) ?? [];
      // Labels are copied easily, and with a namespace everything in it would go: only one can be ours.
      const ours = items.filter(({ metadata }) => kind.kind !== 'Namespace' || metadata.name === systemNamespace);
      // The items of a list do not say what they are.
      return ours.map((item) => ({ ...item, apiVersion: kind.apiVersion, kind: kind.kind }));
    }),
  );
  return found.flat();
}
