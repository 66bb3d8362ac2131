import { wrapped } from '../terminal/wrap.ts';
import type { Finding } from './finding.ts';

const marks = { ok: '✓', warning: '!', problem: '✗' } as const;
const subjectWidth = 15;
const indent = ' '.repeat(subjectWidth + 2);

/** One finding a line, with its remedy below it, and a summary at the end. */
export function findingLines(findings: readonly Finding[], width: number): string[] {
  const lines = findings.flatMap(({ level, subject, detail, remedy }) => {
    const [first = '', ...others] = wrapped(detail, width - indent.length);
    return [
      `${marks[level]} ${subject.padEnd(subjectWidth)}${first}`,
      ...others.map((line) => `${indent}${line}`),
      ...(remedy ? [`${indent}run: ${remedy}`] : []),
    ];
  });
  return [...lines, '', summaryOf(findings)];
}

function summaryOf(findings: readonly Finding[]): string {
  const countOf = (level: Finding['level']) => findings.filter((each) => each.level === level).length;
  const [problems, warnings] = [countOf('problem'), countOf('warning')];
  if (problems === 0 && warnings === 0) return 'All is well.';
  const parts = [counted(problems, 'problem'), counted(warnings, 'warning')].filter((each) => each !== '');
  return parts.join(', ');
}

function counted(count: number, what: string): string {
  return count === 0 ? '' : `${count} ${what}${count === 1 ? '' : 's'}`;
}
