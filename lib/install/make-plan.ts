import { isClusterError } from '../kubernetes/errors.ts';
import { errorText } from '../runtime/error-text.ts';
import { mapConcurrently } from '../runtime/map-concurrently.ts';
import { withAdoption } from './adoption.ts';
import { type Choices, choicesOn, chosenAnew } from './choices.ts';
import { desiredObjects, grantDefinition } from './desired.ts';
import { differencesOf } from './differences.ts';
import { featureVersions } from './features.ts';
import { fieldManager } from './field-manager.ts';
import type { AnyObject, Installable } from './installable.ts';
import { groupOf, type InstalledKind, installedKinds, kindOf, pathOf, systemNamespace, titleOf } from './kinds.ts';
import { isNewer, isOurs, versionOf } from './labels.ts';
import { requireChoices } from './lost-choices.ts';
import { installables as embedded } from './manifests.ts';
import type { ObjectsApi } from './objects-api.ts';
import { openClasses } from './open-classes.ts';
import { findOurs } from './ours.ts';
import { type Permission, requirePermissions } from './permissions.ts';
import { conflictsOf, type Plan, type PlanEntry, planOf } from './plan.ts';
import { definitionsPath, readServer } from './server.ts';

const atOnce = 8;

export interface PlanOptions {
  version: string;
  /** What was chosen now; everything else stays as it was chosen the last time. */
  given?: Partial<Choices>;
  /** An older release may replace a newer one. */
  force?: boolean;
  installables?: readonly Installable[];
}

/** Finds out what there is to do, and whether it may be done. Nothing is written. */
export async function makePlan(api: ObjectsApi, options: PlanOptions): Promise<Plan> {
  const { version, given = {}, force = false, installables = embedded } = options;
  const server = await readServer(api, [...installedKinds.map(({ apiVersion }) => apiVersion), ...featureVersions]);
  const kinds = installedKinds.filter((kind) => server.serves(kind));
  await requirePermissions(api, kinds.flatMap(permissionsFor));
  const namespace = await api.get(`/api/v1/namespaces/${systemNamespace}`);
  const ours = await findOurs(api, kinds);
  requireChoices(namespace, ours, given, installables);
  const before = choicesOn(namespace);
  const choices = chosenAnew(before, given);
  const desired = desiredObjects(choices, version, installables)
    .filter((object) => kinds.includes(kindOf(object)))
    .map((object) => withAdoption(object, namespace));
  if (!force) refuseDowngrade(ours, version);
  const entries = await mapConcurrently(desired, atOnce, (object) => entryOf(api, object, namespace));
  const grants = choices.referenceGrants ? [await entryOfGrants(api, version, installables)] : [];
  const left = ours
    .filter((object) => !isAmong(object, [...desired, ...grants.map(({ object: each }) => each)]))
    .map(entryOfLeftOver);
  const removed = left.filter(({ action }) => action === 'delete').map(({ object }) => kindOf(object));
  await requirePermissions(
    api,
    removed.map((kind) => permissionFor(kind, 'delete')),
  );
  const notes = await openClasses(api, entries);
  const dropped = before.capabilities.filter((name) => ours.length > 0 && !choices.capabilities.includes(name));
  return planOf({ entries: inOrder([...grants, ...entries], left), choices, server, notes, dropped });
}

/** Definitions come first, also that of others; what is not needed any more is removed in the end, the other way round. */
function inOrder(entries: readonly PlanEntry[], left: readonly PlanEntry[]): PlanEntry[] {
  const turnOf = ({ object }: PlanEntry) => installedKinds.indexOf(kindOf(object));
  const first = entries.toSorted((one, other) => turnOf(one) - turnOf(other));
  return [...first, ...left.toSorted((one, other) => turnOf(other) - turnOf(one))];
}

function permissionsFor(kind: InstalledKind): Permission[] {
  return ['get', 'list', 'create', 'patch'].map((verb) => permissionFor(kind, verb));
}

function permissionFor(kind: InstalledKind, verb: string): Permission {
  const inNamespace = kind.namespaced ? { namespace: systemNamespace } : {};
  return { verb, group: groupOf(kind), resource: kind.plural, ...inNamespace };
}

function refuseDowngrade(ours: readonly AnyObject[], version: string): void {
  const newer = ours.find((object) => isNewer(versionOf(object) ?? '0', version));
  if (!newer) return;
  const found = versionOf(newer);
  throw new Error(
    `release ${found} is installed (${titleOf(newer)}), which is newer than this one, ${version}: use release ${found}, or --force to go back`,
  );
}

async function entryOf(api: ObjectsApi, object: AnyObject, namespace: AnyObject | undefined): Promise<PlanEntry> {
  const current = await api.get(pathOf(object));
  if (current?.metadata.deletionTimestamp !== undefined) {
    throw new Error(`${titleOf(object)} is being deleted: run install again when it is gone`);
  }
  if (!current) {
    if (canBeTried(object, namespace)) await tried(api, object);
    return { action: 'create', object, differences: [] };
  }
  const differences = differencesOf(current, await tried(api, object), fieldManager);
  if (differences.length === 0) return { action: 'unchanged', object, differences };
  const entry: PlanEntry = { action: isOurs(current) ? 'change' : 'adopt', object, differences };
  const isOnlyForm = conflictsOf({ entries: [entry] }).length === 0 && (await isConflict(api, object));
  return isOnlyForm ? { ...entry, takenOverFrom: String(current.metadata.resourceVersion) } : entry;
}

async function isConflict(api: ObjectsApi, object: AnyObject): Promise<boolean> {
  try {
    await api.apply(pathOf(object), object, { isDryRun: true });
    return false;
  } catch (error) {
    if (isClusterError(error, 'conflict')) return true;
    throw error;
  }
}

/** The server checks everything, also whether the caller may give these rights to others, and answers what would be. */
async function tried(api: ObjectsApi, object: AnyObject): Promise<AnyObject> {
  try {
    return await api.apply(pathOf(object), object, { isDryRun: true, force: true });
  } catch (error) {
    throw new Error(`nothing was changed: the cluster refuses ${titleOf(object)}: ${errorText(error)}`, {
      cause: error,
    });
  }
}

/** A binding needs its role, and what is in the namespace needs that. */
function canBeTried({ kind, metadata }: AnyObject, namespace: AnyObject | undefined): boolean {
  return !kind.endsWith('RoleBinding') && (metadata.namespace === undefined || namespace !== undefined);
}

async function entryOfGrants(
  api: ObjectsApi,
  version: string,
  installables: readonly Installable[],
): Promise<PlanEntry> {
  const definition = grantDefinition(version, installables);
  const current = await api.get(`${definitionsPath}/${definition.metadata.name}`);
  if (!current) return { action: 'create', object: definition, differences: [] };
  return { action: 'leave', object: current, differences: [], note: 'it is there already, and is never changed' };
}

function isAmong({ kind, metadata }: AnyObject, desired: readonly AnyObject[]): boolean {
  return desired.some(
    (each) =>
      each.kind === kind && each.metadata.name === metadata.name && each.metadata.namespace === metadata.namespace,
  );
}

function entryOfLeftOver(object: AnyObject): PlanEntry {
  if (object.kind === 'CustomResourceDefinition') {
    const note = 'not needed any more, but its objects would be deleted with it: only uninstall removes it';
    return { action: 'leave', object, differences: [], note };
  }
  const { uid } = object.metadata;
  return { action: 'delete', object, differences: [], ...(typeof uid === 'string' ? { uid } : {}) };
}
