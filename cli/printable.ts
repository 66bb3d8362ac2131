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
