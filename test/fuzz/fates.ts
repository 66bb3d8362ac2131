import type { Target } from './fixtures.ts';
import type { OddRecord } from './hostile-records.ts';
import { rogue } from './surroundings.ts';
import { type Named, type Verdict, verdictOn } from './well-formed.ts';

/**
 * What has to become of the records of a batch. What is hopeless is reported and stops nobody, whatever group it is in. A
 * message about the cluster that is not to be believed may fail or not, and so may what follows it.
 */
export interface Fates {
  reported: OddRecord[];
  unsure: OddRecord[];
  handled: Named[];
  /** What may be handled as well. */
  perhaps: Named[];
}

export function fatesOf(records: readonly OddRecord[], target: Target): Fates {
  const fates: Fates = { reported: [], unsure: [], handled: [], perhaps: [] };
  const groups = Map.groupBy(records, ({ attributes, messageId }) => attributes?.MessageGroupId ?? messageId);
  for (const group of groups.values()) addGroup(group, target, fates);
  return fates;
}

function addGroup(group: readonly OddRecord[], target: Target, fates: Fates): void {
  let isUnsure = false;
  for (const record of group) {
    const verdict = verdictOn(record.body, record.attributes?.MessageGroupId, target);
    isUnsure ||= isOfRogue(verdict);
    if (typeof verdict !== 'object') fates.reported.push(record);
    else if (isUnsure) {
      fates.unsure.push(record);
      fates.perhaps.push(verdict);
    } else fates.handled.push(verdict);
  }
}

function isOfRogue(verdict: Verdict): boolean {
  return typeof verdict === 'object' && verdict.cluster === rogue;
}
