import type { ClusterObject } from '../../../lib/kubernetes/objects.ts';
import type { Decision, World, Write } from '../../../lib/reconcile/step.ts';
import { mergePatch } from '../../simulation/merge-patch.ts';

/** Decisions in words, and their writes answered as an API server would: what the tables of all steps share. */

/** What an API server makes of an object that is created, beyond its uid and version. */
export type AsCreated = (body: ClusterObject) => object;

export function summaryOf(decision: Decision): string {
  if (decision.do === 'call') return `call ${decision.call.operation}`;
  if (decision.do !== 'write') return `${decision.do} ${decision.reason}`;
  const { write } = decision;
  const part = write.verb === 'patch' && write.subresource ? ` ${write.subresource}` : '';
  return `${write.verb} ${write.slot}${part}`;
}

export function writeOf(decision: Decision): Write {
  if (decision.do !== 'write') throw new Error(`no write but ${summaryOf(decision)}`);
  return decision.write;
}

/** What is written to. */
export function objectIn(world: World, slot: string): ClusterObject | undefined {
  return (world as Record<string, ClusterObject | undefined>)[slot];
}

export function foldInto<W extends World>(world: W, write: Write, asCreated: AsCreated, at: Date): W {
  const answered = [...(world.answered ?? []), write.slot];
  return { ...world, [write.slot]: answerTo(write, objectIn(world, write.slot), asCreated, at), answered };
}

function answerTo(write: Write, before: ClusterObject | undefined, asCreated: AsCreated, at: Date): unknown {
  if (write.verb === 'create') {
    const metadata = { ...write.body.metadata, uid: `uid-of-new-${write.slot}`, resourceVersion: '1' };
    return mergePatch({ ...write.body, metadata }, asCreated(write.body));
  }
  if (!before) throw new Error(`${write.verb} of a ${write.slot} that is not there`);
  // A patch that changes nothing leaves the object as it is, its version included.
  if (write.verb === 'patch' && Object.keys(write.body).length === 0) return before;
  const resourceVersion = String(Number(before.metadata.resourceVersion) + 1);
  const held = (before.metadata.finalizers ?? []).length > 0;
  if (write.verb === 'delete') {
    return held
      ? mergePatch(before, { metadata: { resourceVersion, deletionTimestamp: at.toISOString() } })
      : undefined;
  }
  return mergePatch(mergePatch(before, write.body), { metadata: { resourceVersion } });
}
