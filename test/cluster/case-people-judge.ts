import { expect } from '@jest/globals';
import type { HostedEnd } from '../support/command-host.ts';
import type { Cell } from './case-people-rows.ts';

export function expectCell(end: HostedEnd, [wanted, said]: Cell): void {
  const { code, out, err } = end;
  const text = `${out} ${err}`.replaceAll(/\s+/g, ' ').trim();
  const isSaid = typeof said === 'string' ? expect.stringContaining(said) : expect.stringMatching(said);
  expect([code, text]).toEqual([wanted, isSaid]);
  expectPlain(end);
}

/**
 * No stack, no name of a class, no code of an error, no JSON, and nothing for a program to read if it has failed. A line of
 * a sentence may begin with the braces of what is to be written.
 */
function expectPlain({ code, out, err }: HostedEnd): void {
  expect(out + err).not.toMatch(
    /^ +at |[a-z]Error\b|\bE[A-Z]{4,}\b|is forbidden: User|undefined|\[object|^[[{](?=["{[]|$)/m,
  );
  if (code === 1 && !out.includes('✗')) expect(out).toBe('');
}

/** A line to copy, and a name that is longer, are left to the terminal. */
const kept = /^ *(?:\S+(?: \w+)*: +)?(?:longshore|kubectl) |^ *(?:[-!] )?\S+$|^ *run: /;

/** What a command that takes longer shows of its stages is erased. */
const eraseLine = '\r\u001b[K';

export function expectFits({ out, err }: HostedEnd, columns: number): void {
  const lines = `${out}${err}`.split('\n').flatMap((line) => line.split(eraseLine));
  expect(lines.filter((line) => line.length > columns && !kept.test(line))).toEqual([]);
}
