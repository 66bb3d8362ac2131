import { expect } from '@jest/globals';
import type { Ended } from './case-command.ts';

export interface Line {
  time: string;
  source: string;
  kind: string;
  namespace?: string;
  name: string;
  what: string;
}

export function linesIn({ stdout }: Ended): Line[] {
  return JSON.parse(stdout) as Line[];
}

export function expectInOrder(lines: readonly Line[]): void {
  const seconds = lines.map(({ time }) => time.slice(0, 19));
  expect(seconds).toEqual([...seconds].sort());
  const shown = lines.map((line) => JSON.stringify(line));
  expect(new Set(shown).size).toBe(shown.length);
}

/** Where the first line stands of which this holds. */
export function placeOf(lines: readonly Line[], condition: (line: Line) => boolean): number {
  const place = lines.findIndex(condition);
  if (place < 0) throw new Error(`no such line in ${lines.map(({ source, what }) => `\n${source} ${what}`)}`);
  return place;
}
