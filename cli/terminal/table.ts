import { clipped, printable } from './printable.ts';

const gap = '  ';
const least = 8;

/**
 * Rows as lines in columns, the first row as the heading. On a narrow terminal the widest columns lose their ends, so
 * that each row stays one line; in a pipe nothing is cut.
 */
export function tableLines(rows: readonly (readonly string[])[], width = Number.POSITIVE_INFINITY): string[] {
  const cells = rows.map((row) => row.map(printable));
  // Not as arguments of one call: some hundred thousand of them overflow the stack.
  const widest = (column: number) => cells.reduce((most, row) => Math.max(most, row[column]?.length ?? 0), 0);
  const widths = (cells[0] ?? []).map((_, column) => widest(column));
  narrow(widths, width - gap.length * (widths.length - 1));
  return cells.map((row) =>
    row
      .map((cell, column) => cut(cell, widths[column] ?? 0))
      .join(gap)
      .trimEnd(),
  );
}

function cut(cell: string, width: number): string {
  return (cell.length > width ? clipped(cell, width - 1) : cell).padEnd(width);
}

function narrow(widths: number[], width: number): void {
  for (;;) {
    const total = widths.reduce((sum, each) => sum + each, 0);
    const widest = Math.max(...widths);
    if (total <= width || widest <= least) return;
    widths[widths.indexOf(widest)] = widest - 1;
  }
}
