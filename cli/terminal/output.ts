import { Option } from '@commander-js/extra-typings';
import { stringify } from 'yaml';
import { printable, printableJson } from './printable.ts';
import { tableLines } from './table.ts';
import { outputWidth } from './width.ts';

export const outputForms = ['json', 'yaml', 'wide', 'name'] as const;
export type OutputForm = (typeof outputForms)[number];

/** `-o`, with those forms that the command has. */
export const outputOption = <const Form extends OutputForm>(...forms: readonly Form[]) =>
  new Option('-o, --output <form>', 'output form (default: a table)').choices(forms);

/** One row of a table, and the whole of it for programs. */
export interface Item {
  /** As `kind/name`, which other commands take. */
  name: string;
  cells: readonly string[];
  /** What `-o wide` adds. */
  more?: readonly string[];
  value: unknown;
}

export interface Listing {
  heading: readonly string[];
  headingMore?: readonly string[];
  items: readonly Item[];
}

/** The text of a list in the form that was asked for. */
export function textOf({ heading, headingMore = [], items }: Listing, form?: OutputForm): string {
  switch (form) {
    case 'json':
      return printableJson(items.map(({ value }) => value));
    case 'yaml':
      return stringify(
        items.map(({ value }) => value),
        { lineWidth: 0 },
      ).trimEnd();
    case 'name':
      return items.map(({ name }) => printable(name)).join('\n');
    default: {
      const isWide = form === 'wide';
      const head = [...heading, ...(isWide ? headingMore : [])];
      const rows = items.map(({ cells, more = [] }) => [...cells, ...(isWide ? more : [])]);
      return tableLines([head, ...rows], isWide ? undefined : outputWidth(process.stdout)).join('\n');
    }
  }
}
