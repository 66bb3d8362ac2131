import { printable } from './printable.ts';

/**
 * A text as lines that fit, each indented, the first one perhaps in another way. A word that is too long has a line of its
 * own.
 */
export function wrapped(text: string, width: number, indent = '', first = indent): string[] {
  return filled(printable(text), width, indent, first);
}

/** Below it a name of a line to copy is no sentence that may be folded apart from it. */
const maxLabel = 20;

/**
 * What is said to people, on a terminal of this width: its longer lines are folded. A line to copy stays whole, as a
 * terminal wraps it in a way that can be copied.
 */
export function folded(text: string, width: number): string {
  if (width === Number.POSITIVE_INFINITY) return text;
  let isDocument = false;
  return text
    .split('\n')
    .flatMap((line) => {
      const isKept = isDocument || line.length <= width;
      if (isDocument) isDocument = line !== 'EOF';
      else isDocument = line.endsWith("<<'EOF'");
      return isKept ? [line] : foldedLine(line, width);
    })
    .join('\n');
}

function foldedLine(line: string, width: number): string[] {
  const [, indent = '', mark = '', rest = ''] = /^( *)([-!] |)(.*)$/.exec(line) ?? [];
  const [, before = '', command] = /^(.*?: +|)((?:longshore|kubectl) .*)$/.exec(rest) ?? [];
  if (command !== undefined && before.length <= maxLabel) return [line];
  // A sentence goes on below its beginning, and what is indented or has columns does not look like another line.
  const hanging = indent === '' && mark === '' && !rest.includes('  ') ? '' : `${indent}  `;
  if (command === undefined) return filled(rest, width, hanging, indent + mark);
  return [...filled(before.trimEnd(), width, hanging, indent + mark), `${indent}  ${command}`];
}

function filled(text: string, width: number, indent: string, first: string): string[] {
  const lines: string[] = [];
  let line = first;
  let isEmpty = true;
  for (const word of text.split(' ')) {
    const longer = isEmpty ? `${line}${word}` : `${line} ${word}`;
    if (!isEmpty && longer.length > width) {
      lines.push(line);
      line = `${indent}${word}`;
    } else {
      line = longer;
    }
    isEmpty = false;
  }
  return [...lines, line];
}
