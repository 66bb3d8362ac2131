import { readFileSync } from 'node:fs';
import { bucketReasons } from '../../../lib/capabilities/buckets/reasons.ts';
import { requestReasons } from '../../../lib/capabilities/buckets/requests/reasons.ts';
import { dataReasons } from '../../../lib/capabilities/data-sources/reasons.ts';
import { transferReasons } from '../../../lib/capabilities/transfers/reasons.ts';
import type { ListedReason } from '../../../lib/reconcile/obstacle.ts';

/** The tables in docs/reasons.md, which follow from the list of each capability. */

export interface ReasonList {
  reasons: Readonly<Record<string, ListedReason>>;
  /** Where they are given. */
  folder: string;
}

export const lists: Readonly<Record<string, ReasonList>> = {
  transfers: { reasons: transferReasons, folder: 'lib/capabilities/transfers' },
  'data-sources': { reasons: dataReasons, folder: 'lib/capabilities/data-sources' },
  buckets: { reasons: bucketReasons, folder: 'lib/capabilities/buckets' },
  'bucket-requests': { reasons: requestReasons, folder: 'lib/capabilities/buckets' },
};

export const page = new URL('../../../docs/reasons.md', import.meta.url);
const parts = /(?<=<!-- table: ([\w-]+) -->\n\n)[\s\S]*?(?=\n\n<!-- end -->)/g;

export function readPage(): string {
  return readFileSync(page, 'utf8');
}

/** The page as it should be. */
export function withTables(text: string): string {
  return text.replaceAll(parts, (_, name: string) => tableOf(lists[name]?.reasons ?? {}));
}

/** The names of the lists that the page has a table of. */
export function tablesIn(text: string): string[] {
  return [...text.matchAll(parts)].map(([, name = '']) => name);
}

function tableOf(reasons: ReasonList['reasons']): string {
  const rows = Object.entries(reasons).map(
    ([reason, { shown = 'condition', means }]) => `| \`${reason}\` | ${shown} | ${means} |`,
  );
  return ['| reason | shown | meaning |', '| --- | --- | --- |', ...rows].join('\n');
}
