import { finalizer } from '../../../lib/capabilities/data-sources/names.ts';
import type { Write } from '../../../lib/reconcile/step.ts';
import { mergePatch } from '../merge-patch.ts';
import { bodyOf } from '../mutating.ts';

/** What the mutants write instead of what is right, and which writes those are. */

export function withPolicyDelete(write: Write): Write {
  return merged(write, { spec: { deletionPolicy: 'Delete' } });
}

export function unheld(write: Write): Write {
  return merged(write, { metadata: { finalizers: [] } });
}

export function withoutSource(write: Write): Write {
  return merged(write, { spec: { dataSourceRef: null } });
}

export function withoutUid(write: Write): Write {
  return merged(write, { spec: { claimRef: { uid: null } } });
}

function merged(write: Write, change: object): Write {
  return write.verb === 'delete' ? write : ({ ...write, body: mergeAll(write.body, change) } as Write);
}

/** A null of a patch means that the field goes, so it has to stay in the patch. */
function mergeAll(body: object, change: object): object {
  const { claimRef } = (change as { spec?: { claimRef?: object } }).spec ?? {};
  if (!claimRef) return mergePatch(body, change) as object;
  const { spec } = body as { spec: { claimRef: object } };
  return { ...body, spec: { ...spec, claimRef: { ...spec.claimRef, ...claimRef } } };
}

export function frees(write: Write): boolean {
  return write.slot === 'late' && bodyOf(write).includes('"claimRef":null');
}

export function letsGo(write: Write): boolean {
  const body = bodyOf(write);
  return ['late', 'volume'].includes(write.slot) && /"persistentVolumeReclaimPolicy":"Delete"}}$/.test(body);
}

export function handsOver(write: Write): boolean {
  return write.slot === 'volume' && bodyOf(write).includes('"claimRef":{');
}

export function dropsHold(write: Write): boolean {
  return write.slot === 'claim' && bodyOf(write).includes('"finalizers"') && !bodyOf(write).includes(finalizer);
}

export function movesNode(write: Write): boolean {
  return bodyOf(write).includes('selected-node');
}

export function saysFalse(write: Write): boolean {
  return write.slot === 'claim' && bodyOf(write).includes('"status":"False"');
}

export function sayingTrue(write: Write): Write {
  if (write.verb !== 'patch') return write;
  return { ...write, body: JSON.parse(bodyOf(write).replace('"status":"False"', '"status":"True"')) };
}
