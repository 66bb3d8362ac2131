/** The width that comments in manifests and sources are wrapped at. */
const width = 120;

/** A text in lines of a comment, each after the same beginning. */
export function comment(text: string, start: string): string {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && `${last} ${word}`.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`${start}${word}`);
  }
  return lines.join('\n');
}
