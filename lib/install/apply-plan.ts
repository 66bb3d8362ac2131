import { isClusterError } from '../kubernetes/errors.ts';
import type { Clock } from '../runtime/clock.ts';
import { pathOf, titleOf } from './kinds.ts';
import type { ObjectsApi } from './objects-api.ts';
import { changesOf, type Plan, type PlanEntry } from './plan.ts';
import { isDefinition, isServed } from './server.ts';
import { isInTime, type Waiting } from './waiting.ts';

export interface ApplyOptions extends Waiting {
  clock: Clock;
  /** Takes over fields that somebody else has set. */
  forceConflicts?: boolean;
  progress: (line: string) => void;
}

/** Stopped by the user: what was done is a part of the whole, and another run does the rest. */
export class Interrupted extends Error {}

/** Carries a plan out. Each step can be repeated, so a run that ends anywhere is completed by the next one. */
export async function applyPlan(api: ObjectsApi, plan: Plan, options: ApplyOptions): Promise<void> {
  const changes = changesOf(plan);
  const written = changes.filter(({ action }) => action !== 'delete');
  const write = (entries: readonly PlanEntry[]) => inTurn(entries, options, (entry) => writeOne(api, entry, options));
  await write(written.filter(comesFirst));
  // The kinds are there before anything that could use them.
  await untilServed(api, plan, options);
  await write(written.filter((entry) => !comesFirst(entry)));
  await inTurn(
    changes.filter(({ action }) => action === 'delete'),
    options,
    async ({ object, uid }) => {
      await api.delete(pathOf(object), uid);
      options.progress(`${titleOf(object)} deleted`);
    },
  );
}

const comesFirst = ({ object }: PlanEntry) => object.kind === 'Namespace' || isDefinition(object);

async function inTurn(
  entries: readonly PlanEntry[],
  { signal }: ApplyOptions,
  carryOut: (entry: PlanEntry) => Promise<void>,
): Promise<void> {
  for (const entry of entries) {
    stopIfTold(signal);
    await carryOut(entry);
  }
}

async function writeOne(
  api: ObjectsApi,
  { action, object, takenOverFrom }: PlanEntry,
  { forceConflicts = false, progress }: ApplyOptions,
): Promise<void> {
  try {
    // With the version the server refuses what somebody has changed meanwhile, whatever is forced.
    const seen = takenOverFrom === undefined ? {} : { resourceVersion: takenOverFrom };
    const body = { ...object, metadata: { ...object.metadata, ...seen } };
    await api.apply(pathOf(object), body, { force: forceConflicts || takenOverFrom !== undefined });
  } catch (error) {
    // It had none when the plan was made.
    if (!isClusterError(error, 'conflict')) throw error;
    throw new Error(`${titleOf(object)} was changed meanwhile: ${error.message}. Run install again`, { cause: error });
  }
  progress(`${titleOf(object)} ${action === 'create' ? 'created' : 'changed'}`);
}

async function untilServed(api: ObjectsApi, { entries }: Plan, options: ApplyOptions): Promise<void> {
  const definitions = entries.filter(({ action, object }) => isDefinition(object) && action !== 'leave');
  for (const { object } of definitions) {
    if (await isInTime(options, () => isServed(api, object.metadata.name))) continue;
    stopIfTold(options.signal);
    const path = `kubectl describe crd ${object.metadata.name}`;
    throw new Error(`the cluster does not serve ${object.metadata.name} yet: see '${path}', and run install again`);
  }
}

export function stopIfTold(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new Interrupted('stopped before the end: run the same command again to complete it');
}
