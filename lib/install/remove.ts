import { type ApplyOptions, stopIfTold } from './apply-plan.ts';
import type { AnyObject } from './installable.ts';
import { pathOf, titleOf } from './kinds.ts';
import type { ObjectsApi } from './objects-api.ts';
import { findRegistrations, type Removal, registrationPath } from './removal.ts';
import { definedPath, isDefinition } from './server.ts';
import { isInTime } from './waiting.ts';

type RemoveOptions = Omit<ApplyOptions, 'forceConflicts'>;

/**
 * Removes one object after the other, roles and policies first and the namespace last. What is left of a run that ends
 * anywhere is found and removed by the next one.
 */
export async function remove(api: ObjectsApi, { objects }: Removal, options: RemoveOptions): Promise<void> {
  const { signal, progress } = options;
  for (const object of objects) {
    stopIfTold(signal);
    if (object.metadata.name === definitionOfRegistrations) await removeRegistrations(api);
    await refuseWithObjects(api, object);
    await api.delete(pathOf(object), String(object.metadata.uid));
    progress(`${titleOf(object)} deleted`);
  }
  // These go when the cluster has cleaned up.
  for (const object of objects.filter((each) => isDefinition(each) || each.kind === 'Namespace')) {
    if (await isInTime(options, async () => (await api.get(pathOf(object))) === undefined)) continue;
    stopIfTold(signal);
    throw new Error(
      `${titleOf(object)} is being deleted, and not gone yet: its status says what it waits for. Run uninstall again`,
    );
  }
}

const definitionOfRegistrations = 'cosiregistrations.cosi.io';

/** Longshore has made them itself, and they say nothing that is needed without it. */
async function removeRegistrations(api: ObjectsApi): Promise<void> {
  for (const each of await findRegistrations(api)) await api.delete(registrationPath(each), String(each.metadata.uid));
}

/** The objects of a kind are deleted with it: somebody may have created one meanwhile. */
async function refuseWithObjects(api: ObjectsApi, object: AnyObject): Promise<void> {
  if (!isDefinition(object)) return;
  const [first] = (await api.list(definedPath(object))) ?? [];
  if (!first) return;
  const { namespace, name } = first.metadata;
  const which = namespace === undefined ? name : `${namespace}/${name}`;
  throw new Error(`${titleOf(object)} stays: there is ${object.spec.names.kind} ${which}. Run uninstall again`);
}
