import type { Condition, TransferApproval, TransferRequest, TransferStatus } from '../cluster/objects.ts';
import { nameOf, type ObjectName, resources } from '../cluster/resources.ts';
import { type Announcement, type Decision, preconditionsOf } from '../reconcile/step.ts';
import { isAddressed } from './addressed.ts';
import type { TransferWorld } from './world.ts';

/** The stages of a transfer in their order, each a condition on the objects that the users wrote. */
const stages = {
  Matched: 'The request and the approval match.',
  SourceReady: 'The source claim is bound and may be moved.',
  Fenced: 'The source claim is fenced, and the target claim waits for its volume.',
  Moved: 'The volume belongs to the target claim.',
} as const;
type Stage = keyof typeof stages;

/** What keeps a transfer from going on. A wait ends by itself when the world changes; a rejection needs the user. */
export interface Blocker {
  stage: Stage;
  reason: string;
  message: string;
  verdict: 'wait' | 'reject';
}

/** Says on the request, and on an approval that is there, what the transfer waits for; then waits. */
export function blocked(world: TransferWorld, blocker: Blocker, now: Date): Decision {
  const { reason, message, verdict } = blocker;
  // Whatever is still to be tidied up, what is complete stays so.
  if (world.request?.status?.complete) return { do: verdict, reason, message };
  const error = verdict === 'reject' ? message : undefined;
  const decision = report(world, 'request', () => blockedConditions(blocker), false, error, now);
  if (decision) return decision;
  // The one who approves can only mend what concerns the match; telling them more would cost a write each time.
  const concerned = verdict === 'reject' && blocker.stage === 'Matched' && isMeant(world);
  const onApproval = concerned && report(world, 'approval', () => blockedConditions(blocker), false, error, now);
  return onApproval || { do: verdict, reason, message };
}

/** Says that the server will not have a write that a transfer needs; a target that it will not have made has its own reason. */
export function refusedBlocker({ refused, target }: TransferWorld): Blocker | undefined {
  const isStorage = refused?.slot === 'source' || refused?.slot === 'volume' || (refused?.slot === 'target' && target);
  if (!refused || !isStorage) return undefined;
  const message = `the ${refused.slot} cannot be changed: ${refused.message}`;
  return { stage: 'Fenced', verdict: 'reject', reason: 'WriteRefused', message };
}

/** Says on both objects that the transfer is complete; on the request last, since it is by the request that we resume. */
export function completed(world: TransferWorld, now: Date): Decision {
  // An approval that cannot be told must not keep the request from being.
  const isTold = isMeant(world) && world.refused?.slot !== 'approval';
  const onApproval = isTold && report(world, 'approval', completeConditions, true, undefined, now);
  if (onApproval) return onApproval;
  return report(world, 'request', completeConditions, true, undefined, now) ?? { do: 'done', reason: 'Complete' };
}

/** Anybody can write a request that names somebody else's approval: only what the approval names in turn is told to it. */
function isMeant({ request, approval }: TransferWorld): boolean {
  return request !== undefined && approval !== undefined && isAddressed(request, approval);
}

/** Says on the request that the work itself failed and is given up until the next change or resync. */
export function failed(world: TransferWorld, message: string, now: Date): Decision {
  const decide = () => [condition('Complete', 'False', 'Failed', message)];
  const decision = world.request?.status?.complete ? undefined : report(world, 'request', decide, false, message, now);
  return decision ?? { do: 'reject', reason: 'Failed', message };
}

type Said = Omit<Condition, 'lastTransitionTime'>;

function condition(type: string, status: Condition['status'], reason: string, message: string): Said {
  return { type, status, reason, message };
}

function blockedConditions({ stage, reason, message }: Blocker): Said[] {
  const names = Object.keys(stages) as Stage[];
  const passed = names.slice(0, names.indexOf(stage)).map((name) => condition(name, 'True', name, stages[name]));
  return [...passed, condition(stage, 'False', reason, message), condition('Complete', 'False', reason, message)];
}

function completeConditions(): Said[] {
  const passed = (Object.keys(stages) as Stage[]).map((name) => condition(name, 'True', name, stages[name]));
  return [...passed, condition('Complete', 'True', 'Complete', 'The transfer is complete.')];
}

/** The write that makes an object say so, or undefined when it says so already or is not there. */
function report(
  world: TransferWorld,
  slot: 'request' | 'approval',
  say: () => Said[],
  complete: boolean,
  error: string | undefined,
  now: Date,
): Decision | undefined {
  const object = world[slot];
  if (!object) return undefined;
  const before = object.status;
  const conditions = say().map((said) => stamp(said, object, now));
  if (saysAlready(before, conditions, complete, error, object.metadata.generation)) return undefined;
  const status = {
    complete,
    error: error === undefined ? null : { time: now.toISOString(), message: error },
    observedGeneration: object.metadata.generation,
    conditions,
  };
  const last = conditions.at(-1);
  const announce: Announcement[] = last ? [announcementOf(object, last, complete, error)] : [];
  return {
    do: 'write',
    write: {
      verb: 'patch',
      slot,
      object: nameOfObject(slot, object),
      body: { status },
      subresource: 'status',
      preconditions: preconditionsOf(object),
      announce,
    },
  };
}

function nameOfObject(slot: 'request' | 'approval', object: TransferRequest | TransferApproval): ObjectName {
  const resource = slot === 'request' ? resources.transferRequest : resources.transferApproval;
  return nameOf(resource, object.metadata.namespace, object.metadata.name);
}

function announcementOf(
  regarding: TransferRequest | TransferApproval,
  { reason, message }: Condition,
  complete: boolean,
  error: string | undefined,
): Announcement {
  return { regarding, type: complete || error === undefined ? 'Normal' : 'Warning', reason, message };
}

/** A condition keeps the time at which its status last changed. */
function stamp(said: Said, object: TransferRequest | TransferApproval, now: Date): Condition {
  const before = object.status?.conditions?.find(({ type }) => type === said.type);
  const lastTransitionTime =
    before?.status === said.status ? before.lastTransitionTime : now.toISOString().replace(/\.\d+/, '');
  return { ...said, observedGeneration: object.metadata.generation ?? 0, lastTransitionTime };
}

function saysAlready(
  before: TransferStatus | undefined,
  conditions: Condition[],
  complete: boolean,
  error: string | undefined,
  generation: number | undefined,
): boolean {
  if (!before || (before.complete ?? false) !== complete) return false;
  if (before.error?.message !== error || before.observedGeneration !== generation) return false;
  const said = before.conditions ?? [];
  return (
    said.length === conditions.length &&
    conditions.every(({ type, status, reason, message }, index) => {
      const other = said[index];
      return other?.type === type && other.status === status && other.reason === reason && other.message === message;
    })
  );
}
