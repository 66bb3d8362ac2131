/** The overhead of a value besides its characters: a slot in an object or an array, and the object or array itself. */
export const valueBytes = 96;

/** Estimates the memory of a value that was parsed from JSON. */
export function weightOf(value: unknown): number {
  let weight = 0;
  const left: unknown[] = [value];
  while (left.length > 0) {
    const next = left.pop();
    weight += valueBytes;
    if (typeof next === 'string') weight += 2 * next.length;
    if (typeof next !== 'object' || next === null) continue;
    for (const [name, inner] of Object.entries(next)) {
      weight += name.length;
      left.push(inner);
    }
  }
  return weight;
}
