import { type ApplyOptions, stopIfTold } from './apply-plan.ts';
import { type Content, contentsOfNamespace, titleOfContent, whyOccupied } from './in-namespace.ts';
import type { AnyObject } from './installable.ts';
import { pathOf, titleOf } from './kinds.ts';
import type { ObjectsApi } from './objects-api.ts';
import { findRegistrations, isNamespace, type Removal, registrationPath } from './removal.ts';
import { definedPath, isDefinition } from './server.ts';
import { isInTime } from './waiting.ts';

type RemoveOptions = Omit<ApplyOptions, 'forceConflicts'>;

/**
 * Removes one object after the other, roles and policies first and the namespace last. What is left of a run that ends
 * anywhere is found and removed by the next one.
 */
export async function remove(api: ObjectsApi, removal: Removal, options: RemoveOptions): Promise<void> {
  const { signal, progress } = options;
  const { objects, inNamespace, givenBack } = removal;
  const deleted: AnyObject[] = [];
  if (!objects.some(isNamespace)) await removeContents(api, inNamespace, options);
  for (const object of objects) {
    stopIfTold(signal);
    if (object.metadata.name === definitionOfRegistrations) await removeRegistrations(api);
    await refuseWithObjects(api, object);
    const why = isNamespace(object) ? await whyOccupiedMeanwhile(api, removal) : undefined;
    if (why === undefined) {
      await api.delete(pathOf(object), String(object.metadata.uid));
      progress(`${titleOf(object)} deleted`);
      deleted.push(object);
    } else {
      progress(`${titleOf(object)} is left: ${why}`);
      await removeContents(api, inNamespace, options);
    }
  }
  if (givenBack) await giveBack(api, givenBack, options);
  // These go when the cluster has cleaned up.
  for (const object of deleted.filter((each) => isDefinition(each) || isNamespace(each))) {
    if (await isInTime(options, async () => (await api.get(pathOf(object))) === undefined)) continue;
    stopIfTold(signal);
    throw new Error(
      `${titleOf(object)} is being deleted, and not gone yet: its status says what it waits for. Run uninstall again`,
    );
  }
}

/** Nobody has agreed to lose what has come since the question. */
async function whyOccupiedMeanwhile(api: ObjectsApi, { seen }: Removal): Promise<string | undefined> {
  const { others, unlisted } = await contentsOfNamespace(api);
  return whyOccupied({ others: others.filter(({ object }) => !seen.has(object.metadata.uid)), unlisted });
}

async function removeContents(api: ObjectsApi, contents: readonly Content[], options: RemoveOptions): Promise<void> {
  for (const content of contents) {
    stopIfTold(options.signal);
    await api.delete(content.path, String(content.object.metadata.uid));
    options.progress(`${titleOfContent(content)} deleted`);
  }
}

/** Applied without anything, it loses what only we have set. */
async function giveBack(api: ObjectsApi, namespace: AnyObject, { signal, progress }: RemoveOptions): Promise<void> {
  stopIfTold(signal);
  const { apiVersion, kind, metadata } = namespace;
  const body = { apiVersion, kind, metadata: { name: metadata.name, uid: metadata.uid } };
  await api.apply(pathOf(namespace), body, { force: true });
  progress(`${titleOf(namespace)} changed`);
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
