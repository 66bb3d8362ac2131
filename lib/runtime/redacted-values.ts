/** Finds the end of a value to be redacted in any string: complete or cut off, and in quotes within quotes. */

export const omitted = '[left out]';

/** The pattern before a value, and the end of the value that begins there; the end is `from` if there is none. */
export interface ValuePattern {
  opening: RegExp;
  endOf(text: string, from: number, opening: RegExpExecArray): number;
}

/** Searches each string once: a redacted value is not searched again. */
export function withoutValues(text: string, { opening, endOf }: ValuePattern): string {
  const search = new RegExp(opening, 'gi');
  let left = '';
  let from = 0;
  for (let found = search.exec(text); found; found = search.exec(text)) {
    const begins = search.lastIndex;
    const ends = text.startsWith(omitted, begins) ? begins : endOf(text, begins, found);
    if (ends <= begins) continue;
    left += text.slice(from, begins) + omitted;
    from = ends;
    search.lastIndex = ends;
  }
  return left + text.slice(from);
}

/** A quote and the backslashes before it: the more often a string was quoted, the more of them. */
const openingQuote = /(\\*)(["'])/y;

/** A quoted string only. */
export function endOfQuoted(text: string, from: number): number {
  openingQuote.lastIndex = from;
  const [whole = '', backslashes = '', quote = ''] = openingQuote.exec(text) ?? [];
  return whole === '' ? from : endOfString(text, from + whole.length, quote, backslashes.length);
}

/** A quoted string, or one word. */
export function endOfWord(text: string, from: number): number {
  const end = endOfQuoted(text, from);
  return end > from ? end : endOf(/[^\s"',&;}]*/y, text, from);
}

/** A quoted string, or the rest of the line: the end of some headers' values is not known. */
export function endOfLine(text: string, from: number): number {
  const end = endOfQuoted(text, from);
  return end > from ? end : endOf(/[^\r\n]*/y, text, from);
}

/** The text of an XML element, also as JSON and HTML escape it. */
export function endOfElement(text: string, from: number): number {
  return endOf(/(?:(?!<|&lt;|\\u003c)[\s\S])*/iy, text, from);
}

/** An object: counts its braces except those in strings. Its quotes are those of the field that holds it. */
export function endOfObject(text: string, from: number, [, backslashes = '', quote = '"']: RegExpExecArray): number {
  let depth = 0;
  let before = 0;
  for (let at = from; at < text.length; at += 1) {
    const character = text[at];
    if (character === quote) {
      // The string that quotes the object ends here.
      if (before < backslashes.length) return at - before;
      at = endOfString(text, at + 1, quote, before) - 1;
    }
    if (character === '{') depth += 1;
    if (character === '}') depth -= 1;
    if (depth === 0) return at + 1;
    before = character === '\\' ? before + 1 : 0;
  }
  return text.length;
}

/** After the quote with as many backslashes as the first; quotes inside have twice as many, plus one. */
function endOfString(text: string, from: number, quote: string, backslashes: number): number {
  let before = 0;
  for (let at = from; at < text.length; at += 1) {
    const character = text[at];
    // The string that quotes this one ends before this one does.
    if (character === quote && before < backslashes) return at - before;
    // A string that ends with backslashes has twice as many of them for each time that it was quoted.
    if (character === quote && before % (2 * (backslashes + 1)) === backslashes) return at + 1;
    before = character === '\\' ? before + 1 : 0;
  }
  return text.length;
}

function endOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return from + (pattern.exec(text)?.[0].length ?? 0);
}
