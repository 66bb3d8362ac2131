/** The words that a misspelled one may have been meant as: those that differ least, if they differ little. */
export function similarTo(word: string, known: readonly string[]): string[] {
  const lower = word.toLowerCase();
  const most = Math.max(1, Math.floor(word.length * 0.4));
  const distances = known.map((each) => ({ each, distance: distanceOf(lower, each.toLowerCase()) }));
  const least = Math.min(most, ...distances.map(({ distance }) => distance));
  return distances.filter(({ distance }) => distance === least).map(({ each }) => each);
}

/** As part of a sentence; empty where nothing is like it. */
export function didYouMean(word: string, known: readonly string[]): string {
  const similar = similarTo(word, known);
  return similar.length === 0 ? '' : ` (Did you mean ${similar.join(' or ')}?)`;
}

/** How many characters are missing, too many, others, or in the other order. */
function distanceOf(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const isSame = one[i - 1] === other[j - 1];
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      row.push(
        Math.min(
          at(rows, i - 1, j) + 1,
          (row[j - 1] ?? 0) + 1,
          at(rows, i - 1, j - 1) + (isSame ? 0 : 1),
          isSwapped ? at(rows, i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    rows.push(row);
  }
  return at(rows, one.length, other.length);
}

function at(rows: readonly number[][], row: number, column: number): number {
  return rows[row]?.[column] ?? 0;
}
