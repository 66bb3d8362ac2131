import { bucketReasons } from '../../lib/capabilities/buckets/reasons.ts';
import { requestReasons } from '../../lib/capabilities/buckets/requests/reasons.ts';
import { dataReasons } from '../../lib/capabilities/data-sources/reasons.ts';
import { explained } from '../../lib/capabilities/explanations.ts';
import { transferReasons } from '../../lib/capabilities/transfers/reasons.ts';
import type { ListedReason } from '../../lib/reconcile/obstacle.ts';
import { table } from './table.ts';

export interface ReasonList {
  reasons: Readonly<Record<string, ListedReason>>;
  /** The folder of the code that gives them. */
  folder: string;
}

/** By the name of their table in docs/reasons.md. */
export const reasonLists: Readonly<Record<string, ReasonList>> = {
  transfers: { reasons: transferReasons, folder: 'lib/capabilities/transfers' },
  'data-sources': { reasons: dataReasons, folder: 'lib/capabilities/data-sources' },
  buckets: { reasons: bucketReasons, folder: 'lib/capabilities/buckets' },
  'bucket-requests': { reasons: requestReasons, folder: 'lib/capabilities/buckets' },
};

/** The table of a list in docs/reasons.md. */
export function reasonTable(name: string): string {
  const { reasons = {}, advice = {} } = explained[name] ?? {};
  const rows = Object.entries(reasons).map(([reason, { shown = 'condition', means }]) => [
    `\`${reason}\``,
    shown,
    means,
    advice[reason]?.todo ?? 'Nothing.',
  ]);
  return table(['reason', 'shown', 'meaning', 'what to do'], rows);
}
