/** Markdown tables, and their places in a page: `<!-- table: name -->` and `<!-- end -->`. */

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** The text between the marks of a table; undefined if the page does not have them. */
export function tableIn(page: string, name: string): string | undefined {
  return marked(name).exec(page)?.[2]?.trim();
}

/** The cells of each row below the head. */
export function rowsIn(page: string, name: string): string[][] {
  const lines = tableIn(page, name)?.split('\n').slice(2) ?? [];
  return lines.map((line) =>
    line
      .split('|')
      .map((cell) => cell.trim())
      .slice(1, -1),
  );
}

/** The page with this table between the marks. */
export function withTable(page: string, name: string, text: string): string {
  if (tableIn(page, name) === undefined) throw new Error(`the page has no <!-- table: ${name} --> … <!-- end -->`);
  return page.replace(marked(name), (_, start, __, end) => `${start}\n\n${text}\n\n${end}`);
}

function marked(name: string): RegExp {
  return new RegExp(`(<!-- table: ${name} -->)([\\s\\S]*?)(<!-- end -->)`);
}
