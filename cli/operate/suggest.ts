/** Those of these words that may have been meant, closest first. */
export function suggestions(given: string, known: readonly string[], most = 5): string[] {
  const wanted = given.toLowerCase();
  const scored = known.map((word) => ({ word, score: scoreOf(wanted, word.toLowerCase()) }));
  return scored
    .filter(({ score }) => score <= Math.max(2, wanted.length / 3))
    .sort((one, other) => one.score - other.score || one.word.localeCompare(other.word))
    .slice(0, most)
    .map(({ word }) => word);
}

/** A part of the word is as close as a small mistake. */
function scoreOf(wanted: string, word: string): number {
  if (wanted.length >= 3 && (word.startsWith(wanted) || wanted.startsWith(word))) return 1;
  return distance(wanted.slice(0, 100), word.slice(0, 100));
}

/** How many characters must be added, left out, replaced or exchanged with their neighbour. */
export function distance(one: string, other: string): number {
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const isSame = one[i - 1] === other[j - 1];
      const isExchanged = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      const replaced = (row[j - 1] ?? 0) + (isSame ? 0 : 1);
      const exchanged = isExchanged ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      next.push(Math.min(replaced, exchanged, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    [before, row] = [row, next];
  }
  return row[other.length] ?? 0;
}
