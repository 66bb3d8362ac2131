import { readFileSync, writeFileSync } from 'node:fs';
import { tables } from './role-tables.ts';

const page = new URL('../../docs/security.md', import.meta.url);

export function readPage(): string {
  return readFileSync(page, 'utf8');
}

/** What stands between the marks of a table; undefined where the page does not have them. */
export function tableIn(text: string, name: string): string | undefined {
  return partOf(name).exec(text)?.[2]?.trim();
}

/** Puts the tables of what is deployed into the page. */
export function writeTables(): void {
  const after = Object.entries(tables()).reduce(
    (text, [name, table]) => text.replace(partOf(name), (_, start, __, end) => `${start}\n\n${table}\n\n${end}`),
    readPage(),
  );
  writeFileSync(page, after);
}

function partOf(name: string): RegExp {
  return new RegExp(`(<!-- table: ${name} -->)([\\s\\S]*?)(<!-- end -->)`);
}
