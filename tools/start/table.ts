/** Text in columns, each as wide as its widest cell; columns of numbers are right-aligned. */
export function table(headings: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const isNumeric = (column: number) => rows.length > 0 && rows.every((row) => typeof row[column] === 'number');
  const cells = [headings, ...rows].map((row) => row.map(String));
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) =>
        isNumeric(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join('   ')
      .trimEnd();
  return cells.map((row) => `  ${line(row)}`).join('\n');
}
