/**
 * What others wrote, as it may be shown on a terminal: on one line, without characters that move a cursor, colour what
 * follows or turn its direction. Whoever may write an object or a message must not write on an operator's screen.
 */
export function printable(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}]/gu, '?');
}

/** The beginning of what is long. */
export function clipped(text: string, most: number): string {
  const characters = [...text];
  return characters.length > most ? `${characters.slice(0, most).join('')}…` : text;
}

/** The same protection for a line of JSON, which a program reads and a terminal may show: escaped, so that nothing is lost. */
export function printableJson(value: unknown): string {
  // What is escaped stands in strings only, where its escape means the same. Below U+0020 JSON escapes by itself.
  return JSON.stringify(value).replaceAll(/[\u007f-\u009f\p{Cf}\u2028\u2029]/gu, escaped);
}

function escaped(character: string): string {
  // Above U+FFFF a character is two units, each with an escape of its own.
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');
}
