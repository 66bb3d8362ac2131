import { heading as styledHeading } from './colour.ts';
import { documentText } from './document.ts';
import type { OutputForm } from './output-option.ts';
import { printable } from './printable.ts';
import { tableLines } from './table.ts';
import { lineWidth } from './width.ts';

export { type OutputForm, outputForms, outputOption } from './output-option.ts';

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
    case 'yaml':
      return documentText(
        items.map(({ value }) => value),
        form,
      );
    case 'name':
      return items.map(({ name }) => printable(name)).join('\n');
    default: {
      const isWide = form === 'wide';
      const head = [...heading, ...(isWide ? headingMore : [])];
      const rows = items.map(({ cells, more = [] }) => [...cells, ...(isWide ? more : [])]);
      const [first = '', ...others] = tableLines([head, ...rows], isWide ? undefined : lineWidth(process.stdout));
      return [styledHeading(first), ...others].join('\n');
    }
  }
}
