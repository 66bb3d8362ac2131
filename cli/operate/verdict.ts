import { explanationOf } from '../../lib/capabilities/explanations.ts';
import type { Condition, ObjectMeta } from '../../lib/kubernetes/objects.ts';
import type { Resource } from '../../lib/kubernetes/resource.ts';
import { resources } from '../../lib/kubernetes/resources.ts';
import type { Advice, Turn } from '../../lib/reconcile/explanations.ts';
import type { AnyObject } from '../connect/cluster-api.ts';
import { transferStages } from '../objects/transfer-stages.ts';
import { isSafeToDelete, offerAnnotation } from '../offer/annotations.ts';

export interface StageState {
  name: string;
  state: 'reached' | 'waiting' | 'open';
}

/** What an object says of itself. */
export interface Verdict {
  state: 'done' | 'waiting' | 'failed' | 'new' | 'deleting';
  reason?: string;
  /** The object's own sentence. */
  message?: string;
  /** Since when. */
  since?: string;
  turn: Turn;
  todo?: string;
  stages: StageState[];
}

interface Judged {
  resource: Resource;
  capability: string;
  /** The conditions in their order, with the names of their stages. The last one that is not met is the state. */
  stages: readonly (readonly [type: string, name: string])[];
  /** Objects of others, of which most have nothing to do with Longshore. */
  isOfOthers?: true;
}

/** The kinds that can be unfinished. A claim has two sorts of work, which have nothing to do with each other. */
export const judged: readonly Judged[] = [
  { resource: resources.transferRequest, capability: 'transfers', stages: transferStages },
  { resource: resources.transferApproval, capability: 'transfers', stages: transferStages },
  {
    resource: resources.bucket,
    capability: 'buckets',
    stages: [
      ['Bound', 'bound'],
      ['SecretReady', 'secret ready'],
    ],
  },
  { resource: resources.bucketContent, capability: 'buckets', stages: [['Provisioned', 'provisioned']] },
  { resource: resources.claim, capability: 'transfers', stages: [['Transferred', 'transferred']], isOfOthers: true },
  {
    resource: resources.claim,
    capability: 'data-sources',
    stages: [['DataPopulated', 'data there']],
    isOfOthers: true,
  },
];

/** All verdicts on an object; none if it has nothing to do with Longshore. */
export function verdictsOn(resource: Resource, object: AnyObject): Verdict[] {
  return judged.filter((each) => each.resource === resource).flatMap((each) => verdictOf(each, object) ?? []);
}

function verdictOf({ capability, stages, isOfOthers }: Judged, object: AnyObject): Verdict | undefined {
  const conditions = conditionsOf(object);
  const ours = stages.flatMap(([type]) => conditions.find((each) => each.type === type) ?? []);
  const { creationTimestamp, deletionTimestamp } = object.metadata;
  if (ours.length === 0) {
    if (isOfOthers) return undefined;
    const since = String(deletionTimestamp ?? creationTimestamp ?? '');
    const message = 'Longshore has not reported on this object yet';
    const bar = stages.map(([, name]) => ({ name, state: 'open' as const }));
    return { state: deletionTimestamp ? 'deleting' : 'new', message, since, turn: 'Longshore', stages: bar };
  }
  const blocked = ours.find(({ status }) => status !== 'True');
  const bar = barOf(stages, ours, blocked);
  const isWhole = !blocked && ours.length === stages.length;
  if (isWhole) return { state: 'done', turn: 'nobody', stages: bar, ...saidBy(ours.at(-1)) };
  const said = saidBy(blocked ?? ours.at(-1));
  const { turn = 'Longshore', todo } =
    adviceToDelete(object, blocked) ?? explanationOf(blocked?.reason ?? '', capability) ?? {};
  const state = blocked && isFailure(blocked) ? 'failed' : 'waiting';
  const advice = blocked && todo !== undefined ? { todo } : {};
  // What was reached last is no sentence about what is next.
  const message = blocked ? {} : { message: 'Longshore works on the next stage' };
  return { state, turn: turn === 'nobody' ? 'Longshore' : turn, stages: bar, ...said, ...message, ...advice };
}

/** A condition may be older than the offer's marks on the same claim, and they alone show what may be done. */
function adviceToDelete(object: AnyObject, blocked: Condition | undefined): Advice | undefined {
  const metadata: Partial<ObjectMeta> = object.metadata;
  const isSource = Boolean(metadata.annotations?.[offerAnnotation]);
  if (blocked?.reason !== 'AwaitingDeletion' || !isSource || metadata.deletionTimestamp) return undefined;
  return isSafeToDelete({ metadata })
    ? {
        turn: 'owner',
        todo: 'Delete the claim when it is not needed here any more: its volume is safe, and moves then.',
      }
    : { turn: 'Longshore', todo: 'Wait, and keep the claim: nothing keeps its volume yet if it is deleted.' };
}

/** Other conditions are for programs that know no stages. */
function conditionsOf({ status }: AnyObject): Condition[] {
  const { conditions } = (status ?? {}) as { conditions?: unknown };
  return Array.isArray(conditions) ? conditions.filter((each) => typeof each === 'object' && each !== null) : [];
}

function saidBy(condition: Condition | undefined): Pick<Verdict, 'reason' | 'message' | 'since'> {
  const { reason, message, lastTransitionTime: since } = condition ?? {};
  return Object.fromEntries(Object.entries({ reason, message, since }).filter(([, text]) => typeof text === 'string'));
}

const failures = ['Failed', 'CheckFailed', 'ProvisioningFailed'];

function isFailure({ reason = '' }: Condition): boolean {
  return failures.includes(reason);
}

/** A transfer that is blocked says the same at its last stage, which is yet to come. */
function barOf(stages: Judged['stages'], ours: readonly Condition[], blocked: Condition | undefined): StageState[] {
  return stages.map(([type, name]) => {
    const condition = ours.find((each) => each.type === type);
    if (condition?.status === 'True') return { name, state: 'reached' };
    return { name, state: condition && condition === blocked ? 'waiting' : 'open' };
  });
}

const marks = { reached: '✓', waiting: '…', open: '·' } as const;

export function barText(stages: readonly StageState[]): string {
  return stages.map(({ name, state }) => `${name} ${marks[state]}`).join('  ');
}

const turns: Readonly<Record<Turn, string>> = {
  owner: "the object's owner",
  'other side': 'the owner in the other namespace',
  administrator: 'an administrator of the cluster or the store',
  cluster: 'the cluster: a controller, a driver or a pod',
  Longshore: 'Longshore',
  nobody: 'nobody',
};

export function turnText(turn: Turn): string {
  return turns[turn];
}
