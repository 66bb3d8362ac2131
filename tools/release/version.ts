/** Compares two versions of the form 1.2.3: negative if the first is the earlier one. */
export function compareVersions(one: string, other: string): number {
  const [first, second] = [numbersOf(one), numbersOf(other)];
  return first.map((number, index) => number - (second[index] ?? 0)).find((difference) => difference !== 0) ?? 0;
}

export function isVersion(text: string): boolean {
  return /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/.test(text);
}

function numbersOf(version: string): number[] {
  return version.split('.').map(Number);
}
