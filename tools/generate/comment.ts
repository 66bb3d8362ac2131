/** The width at which comments in manifests and sources are wrapped. */
const width = 120;

/** A string as the lines of a comment, each with the same prefix. */
export function comment(text: string, start: string): string {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && `${last} ${word}`.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`${start}${word}`);
  }
  return lines.join('\n');
}
