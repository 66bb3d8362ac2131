import { readFileSync } from 'node:fs';
import { parameterNames, readers } from '../../../deployment/serverless/parameters.ts';
import { file } from '../../support/completed-service.ts';

/** The table of parameters in docs/configuration.md: its meanings are written there, all else follows from the sources. */

export const page = new URL('../../../docs/configuration.md', import.meta.url);
const part = /(?<=<!-- table: parameters -->\n\n)[\s\S]*?(?=\n\n<!-- end -->)/;

export function readPage(): string {
  return readFileSync(page, 'utf8');
}

/** The page as it should be: what each parameter means stays as it is. */
export function withTable(text: string): string {
  const meanings = new Map(rowsIn(text).map((cells) => [cells[1], cells.at(-2)]));
  const rows = parameterNames.map((name) =>
    row(`\`${name}\``, defaultOf(name), readers[name].accepts, meanings.get(`\`${name}\``) ?? ''),
  );
  const head = [row('parameter', 'default', 'accepts', 'meaning'), row('---', '---', '---', '---')];
  return text.replace(part, [...head, ...rows].join('\n'));
}

/** The cells of each row, between an empty one at both ends. */
export function rowsIn(text: string): string[][] {
  const lines = part.exec(text)?.[0].split('\n').slice(2) ?? [];
  return lines.map((line) => line.split('|').map((cell) => cell.trim()));
}

function row(...cells: string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function defaultOf(name: (typeof parameterNames)[number]): string {
  const value = String(file.params.default[name]);
  if (value !== '') return `\`${value}\``;
  return name === 'clusters' ? 'none, required' : 'none';
}
