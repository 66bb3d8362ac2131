import type { Cluster } from '../kubernetes/cluster.ts';
import { ClusterError, isClusterError } from '../kubernetes/errors.ts';
import type { ClusterObject } from '../kubernetes/objects.ts';
import { displayName, type Key } from '../kubernetes/resources.ts';
import { withoutOversized } from '../kubernetes/without-oversized.ts';
import { OutOfTime } from '../queue/time-limit.ts';
import type { LogFields, LogFunction } from '../runtime/log.ts';
import type { Measurement } from '../runtime/metrics.ts';
import type { ChangeTrace } from '../runtime/tracing.ts';
import { crowdedWrite } from './crowded.ts';
import { record } from './events.ts';
import type { Call, Decision, Outcome, Step, World, Write } from './step.ts';

/** A run that needs more turns than this is in an endless loop. */
const maxTurns = 40;
/** A key that keeps changing this often is left to others for now: the message is retried later. */
const maxReads = 5;

/** The report of a run, which the caller logs. */
export type Trace = (line: { write: string; object: string; result: string; milliseconds: number }) => void;

export interface Surroundings {
  now: () => Date;
  trace?: Trace;
  /** Receives what is logged at level debug only. */
  debug?: LogFunction | undefined;
  /** Receives measurements. */
  measure?: (measurement: Measurement) => void;
  /** The trace for calls outside the cluster; the client of the cluster adds its own. */
  change?: ChangeTrace;
  /** True if too many objects wait for the same change as this one, according to the message; unknown if undefined. */
  isCrowded?: boolean;
  /** Nothing is read, written or called once it has aborted. */
  working?: AbortSignal;
}

/**
 * The only loop around every step: reads once what the step needs, lets it decide, writes, folds the server's
 * response into the world, and lets it decide again, until the step waits or is done.
 */
export async function reconcile(
  step: Step<World>,
  cluster: Cluster,
  key: Key,
  surroundings: Surroundings,
): Promise<Outcome> {
  return run({ step, cluster, key, surroundings, decide: step.decide, announcing: [] });
}

/** Reports on the object itself that the last attempt failed. */
export async function reconcileFailed(
  step: Step<World>,
  cluster: Cluster,
  key: Key,
  failure: string,
  surroundings: Surroundings,
): Promise<Outcome> {
  const decide = (world: World, now: Date) => step.decideFailed(world, failure, now);
  return run({ step, cluster: withoutOversized(cluster), key, surroundings, decide, announcing: [] });
}

interface Run {
  step: Step<World>;
  cluster: Cluster;
  key: Key;
  surroundings: Surroundings;
  decide: (world: World, now: Date) => Decision;
  /** The Events that are being recorded meanwhile. */
  announcing: Promise<void>[];
}

async function run(run: Run): Promise<Outcome> {
  try {
    return await takeTurns(run);
  } finally {
    // The next write does not wait for Events; but a Lambda function stops when it has responded.
    await Promise.all(run.announcing);
  }
}

async function takeTurns(run: Run): Promise<Outcome> {
  const { step, cluster, key, surroundings, decide } = run;
  const read = () => {
    requireTime(run);
    return step.read(cluster, key, surroundings.now());
  };
  let world = await read();
  let contended: readonly string[] = [];
  for (let turn = 0, reads = 1; turn < maxTurns; turn += 1) {
    const decision = decide(world, surroundings.now());
    surroundings.debug?.('decided', { turn, ...summaryOf(decision) });
    if (decision.do !== 'write' && decision.do !== 'call' && decision.do !== 'reread') {
      await reportCrowded(run, decision, world);
      return decision;
    }
    const next = decision.do === 'reread' ? undefined : await act(run, decision, world);
    if (next !== undefined) {
      world = next;
      continue;
    }
    if (reads === maxReads) throw lostTooOften(step.name, key);
    reads += 1;
    if (decision.do === 'write') contended = [...contended, decision.write.slot];
    world = { ...(await read()), ...(contended.length > 0 ? { contended } : {}) };
  }
  throw new Error(`${step.name} of ${displayName(key)} did not finish in ${maxTurns} turns`);
}

/** If this fails, a later message reports it: one comes each minute as long as the object waits. */
async function reportCrowded(run: Run, { do: outcome }: Outcome, world: World): Promise<void> {
  const { isCrowded, now } = run.surroundings;
  if (isCrowded === undefined) return;
  const write = crowdedWrite(run, world, isCrowded && outcome !== 'done', now());
  if (write) await act(run, { do: 'write', write }, world);
}

function act(run: Run, decision: Decision & { do: 'write' | 'call' }, world: World) {
  requireTime(run);
  return decision.do === 'call' ? callOut(run, decision.call, world) : attempt(run, decision.write, world);
}

/**
 * The caller has been informed that time is up, and another worker may have the key by now. A function that has
 * responded is suspended at any point, and continues from there at its next invocation, however much later.
 */
function requireTime({ surroundings }: Run): void {
  if (surroundings.working?.aborted) throw new OutOfTime();
}

/** Makes a call outside the cluster. Every outcome is a response; a throw is a bug. */
async function callOut({ step, surroundings }: Run, call: Call, world: World): Promise<World> {
  if (!step.perform) throw new Error(`${step.name} cannot make the call ${call.operation}`);
  const start = surroundings.now().getTime();
  const answer = await step.perform(call, world, surroundings.change);
  const milliseconds = surroundings.now().getTime() - start;
  surroundings.trace?.({ write: call.operation, object: call.about, result: answer.result, milliseconds });
  return { ...world, [call.slot]: answer };
}

/** Makes one write. Returns the world after it, or undefined if the world must be read again. */
async function attempt(run: Run, write: Write, world: World): Promise<World | undefined> {
  const { now, trace } = run.surroundings;
  const start = now().getTime();
  const traceResult = (result: string) =>
    trace?.({ ...describe(write), result, milliseconds: now().getTime() - start });
  try {
    const answer = await send(run.cluster, write);
    traceResult('ok');
    applyEffects(run, write);
    return { ...world, [write.slot]: answer, answered: [...(world.answered ?? []), write.slot] };
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error;
    traceResult(error.class);
    if (isClusterError(error, 'gone', 'exists', 'conflict')) return undefined;
    if (isClusterError(error, 'rejected')) return refused(world, write, error);
    throw error;
  }
}

/** The effects of a successful write: Events and metrics. */
function applyEffects({ cluster, surroundings, announcing }: Run, write: Write): void {
  for (const announcement of write.announce ?? []) announcing.push(record(cluster, announcement, surroundings.now()));
  for (const measurement of write.measure ?? []) surroundings.measure?.(measurement);
}

function refused(world: World, write: Write, error: ClusterError): World {
  // A step that responds to a rejection with the same write would loop for ever.
  if (world.refused?.slot === write.slot) throw error;
  return { ...world, refused: { slot: write.slot, message: error.message } };
}

function send(cluster: Cluster, write: Write): Promise<ClusterObject | undefined> {
  switch (write.verb) {
    case 'create':
      return cluster.create(write.object, write.body, write.isDryRun);
    case 'patch':
      return cluster.patch(write.object, write.body, {
        preconditions: write.preconditions,
        ...(write.subresource ? { subresource: write.subresource } : {}),
      });
    case 'delete':
      return cluster.delete(write.object, write.preconditions);
    default:
      return unknownWrite(write);
  }
}

function unknownWrite(write: never): never {
  throw new Error(`unknown write ${(write as Write).verb}`);
}

/** The part of a decision that may be logged: its messages to people may contain what others have written. */
function summaryOf(decision: Decision): LogFields {
  const { do: decided } = decision;
  if (decision.do === 'write') return { decided, slot: decision.write.slot, ...describe(decision.write) };
  if (decision.do === 'call') return { decided, slot: decision.call.slot, write: decision.call.operation };
  return { decided, reason: decision.reason };
}

function describe(write: Write): { write: string; object: string } {
  const isStatus = write.verb === 'patch' && write.subresource;
  const part = isStatus ? ` ${write.subresource}` : write.verb === 'create' && write.isDryRun ? ' on trial' : '';
  return { write: `${write.verb}${part}`, object: `${write.object.resource.kind} ${displayName(write.object)}` };
}

function lostTooOften(step: string, key: Key): ClusterError {
  return new ClusterError('conflict', `${step} of ${displayName(key)} had ${maxReads} conflicts in a row`);
}
