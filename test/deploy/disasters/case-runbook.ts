import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { exitCodes } from '../../../cli/exit-codes.ts';
import type { Operator } from './case-operator.ts';

const document = new URL('../../../docs/recovery.md', import.meta.url);

/** Commands that are to be typed, and what they print. */
export interface Step {
  commands: string;
  shown: string[];
}

/** The chapters, each with the anchor by which others refer to it. */
export function chaptersOf(markdown = readFileSync(document, 'utf8')): { anchor: string; text: string }[] {
  const [, ...chapters] = markdown.split(/^## /m);
  return chapters.map((text) => ({ anchor: anchorOf(text.split('\n')[0] ?? ''), text }));
}

/** The steps of the chapter with this anchor, in their order. */
export function stepsOf(anchor: string, markdown?: string): Step[] {
  const chapter = chaptersOf(markdown).find((each) => each.anchor === anchor);
  if (!chapter) throw new Error(`docs/recovery.md has no chapter #${anchor}`);
  const steps: Step[] = [];
  for (const [, kind, content = ''] of chapter.text.matchAll(/^```(sh|text)\n(.*?)^```/gms)) {
    if (kind === 'sh') steps.push({ commands: content, shown: [] });
    else steps.at(-1)?.shown.push(...content.split('\n').filter((line) => line.trim() !== ''));
  }
  return steps;
}

function anchorOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-');
}

/** Does what a chapter says, step by step; each prints what the document shows, but for numbers and names that differ. */
export class Runbook {
  private readonly anchor: string;
  private readonly operator: Operator;
  private readonly steps: Step[];
  private next = 0;

  constructor(anchor: string, operator: Operator) {
    this.anchor = anchor;
    this.operator = operator;
    this.steps = stepsOf(anchor);
  }

  async follow(): Promise<string> {
    const step = this.steps[this.next];
    this.next += 1;
    if (!step) throw new Error(`#${this.anchor} has no step ${this.next}`);
    const { status, output } = await this.operator.run(step.commands);
    // Of a command that looks: it has found something to be done.
    const isDone = status === exitCodes.done || status === exitCodes.found;
    if (!isDone) throw new Error(`this ended with ${status}:\n${step.commands}\n${output}`);
    keep(this.anchor, step.commands, output);
    expect(missing(step.shown, output)).toEqual([]);
    return output;
  }

  /** Everything that the chapter says has been done. */
  over(): void {
    expect(this.next).toBe(this.steps.length);
  }
}

/** What the document shows and was not printed. */
export function missing(shown: readonly string[], output: string): string[] {
  const printed = output.split('\n').map(inGeneral);
  const isPrinted = (line: string) => {
    const parts = line.split('…').map(inGeneral);
    return printed.some((each) => followInOrder(parts, each));
  };
  return shown.filter((line) => !isPrinted(line));
}

function followInOrder(parts: readonly string[], line: string): boolean {
  let from = 0;
  return parts.every((part) => {
    const at = line.indexOf(part, from);
    from = at + part.length;
    return at >= 0;
  });
}

/** Numbers, ids and widths of columns are others each time. */
function inGeneral(line: string): string {
  return line
    .replaceAll(/\b[0-9a-f]{6,}\b/g, '0')
    .replaceAll(/\d+/g, '0')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Whoever writes the document wants to see what is printed now. */
function keep(anchor: string, commands: string, output: string): void {
  const folder = process.env.LONGSHORE_RUNBOOKS;
  if (folder) appendFileSync(join(folder, `${anchor}.txt`), `${commands}\n${output}\n`);
}
