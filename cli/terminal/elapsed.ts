/** How long something has run, before what happens now. */
export function elapsedText(milliseconds: number): string {
  return `[${(milliseconds / 1_000).toFixed(1).padStart(4)} s]`;
}
