/** Rows as lines of text, in columns that are each as wide as their widest cell. The first row says how many there are. */
export function aligned(rows: readonly string[][]): string[] {
  const widest = (column: number) => rows.reduce((width, row) => Math.max(width, row[column]?.length ?? 0), 0);
  const widths = (rows[0] ?? []).map((_, column) => widest(column));
  const line = (row: readonly string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  return rows.map((row) => line(row).trimEnd());
}
