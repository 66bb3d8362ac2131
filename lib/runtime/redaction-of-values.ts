/** Where a value ends that is to be left out, as it may stand in any text: whole or cut off, and in quotes within quotes. */

export const omitted = '[left out]';

/** What comes before a value, and where the value ends that begins there; it is the same place where there is none. */
export interface Place {
  opening: RegExp;
  endOf(text: string, from: number, opening: RegExpExecArray): number;
}

/** Each text is gone through once: what is left out is not searched again. */
export function withoutValues(text: string, { opening, endOf }: Place): string {
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

/** With so many backslashes before each of its quotes, as a text has more of them the more often it was quoted. */
const opened = /(\\*)(["'])/y;

/** Nothing but what is in quotes. */
export function endOfQuoted(text: string, from: number): number {
  opened.lastIndex = from;
  const [whole = '', backslashes = '', quote = ''] = opened.exec(text) ?? [];
  return whole === '' ? from : endOfString(text, from + whole.length, quote, backslashes.length);
}

/** What is in quotes, or one word. */
export function endOfWord(text: string, from: number): number {
  const end = endOfQuoted(text, from);
  return end > from ? end : endOf(/[^\s"',&;}]*/y, text, from);
}

/** What is in quotes, or the rest of the line: of some headers no one knows where their value ends. */
export function endOfLine(text: string, from: number): number {
  const end = endOfQuoted(text, from);
  return end > from ? end : endOf(/[^\r\n]*/y, text, from);
}

/** The text of an element of XML, which JSON and HTML write in their own ways. */
export function endOfElement(text: string, from: number): number {
  return endOf(/(?:(?!<|&lt;|\\u003c)[\s\S])*/iy, text, from);
}

/** An object, whose braces count but for those in its texts, and whose quotes are those of the field that holds it. */
export function endOfObject(text: string, from: number, [, backslashes = '', quote = '"']: RegExpExecArray): number {
  let depth = 0;
  let before = 0;
  for (let at = from; at < text.length; at += 1) {
    const character = text[at];
    if (character === quote) {
      // The text ends in which the object was quoted.
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

/** After the quote that has as many backslashes as the first; those of its own quotes are twice as many, and one. */
function endOfString(text: string, from: number, quote: string, backslashes: number): number {
  let before = 0;
  for (let at = from; at < text.length; at += 1) {
    const character = text[at];
    // The text ends in which this one was quoted, before this one does.
    if (character === quote && before < backslashes) return at - before;
    // What ends with backslashes of its own has twice as many of them, each time that it was quoted.
    if (character === quote && before % (2 * (backslashes + 1)) === backslashes) return at + 1;
    before = character === '\\' ? before + 1 : 0;
  }
  return text.length;
}

function endOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return from + (pattern.exec(text)?.[0].length ?? 0);
}
