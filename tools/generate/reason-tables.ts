import { bucketReasons } from '../../lib/capabilities/buckets/reasons.ts';
import { requestReasons } from '../../lib/capabilities/buckets/requests/reasons.ts';
import { dataReasons } from '../../lib/capabilities/data-sources/reasons.ts';
import { explanations } from '../../lib/capabilities/explanation.ts';
import { transferReasons } from '../../lib/capabilities/transfers/reasons.ts';
import type { ListedReason } from '../../lib/reconcile/obstacle.ts';
import { table } from './table.ts';

export interface ReasonList {
  reasons: Readonly<Record<string, ListedReason>>;
  /** What it is called where reasons are explained. */
  about: string;
  /** The folder of the code that gives them. */
  folder: string;
}

/** By the name of their table in docs/reasons.md. */
export const reasonLists: Readonly<Record<string, ReasonList>> = {
  transfers: { reasons: transferReasons, about: 'transfers', folder: 'lib/capabilities/transfers' },
  'data-sources': { reasons: dataReasons, about: 'data sources', folder: 'lib/capabilities/data-sources' },
  buckets: { reasons: bucketReasons, about: 'buckets', folder: 'lib/capabilities/buckets' },
  'bucket-requests': { reasons: requestReasons, about: 'bucket requests', folder: 'lib/capabilities/buckets' },
};

/** The table of a list in docs/reasons.md. */
export function reasonTable(list: ReasonList): string {
  const rows = explanations
    .filter(({ about }) => about === list.about)
    .map(({ reason, shown, means, toDo }) => [`\`${reason}\``, shown, means, toDo]);
  return table(['reason', 'shown', 'meaning', 'what to do'], rows);
}
