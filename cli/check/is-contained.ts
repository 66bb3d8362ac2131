/** True if everything in the first is in the second, which may have more: the server fills in what was left out. */
export function isContained(wanted: unknown, present: unknown): boolean {
  if (Array.isArray(wanted)) {
    const { length } = wanted;
    return (
      Array.isArray(present) && present.length === length && wanted.every((each, i) => isContained(each, present[i]))
    );
  }
  if (typeof wanted !== 'object' || wanted === null) return wanted === present;
  if (typeof present !== 'object' || present === null) return false;
  return Object.entries(wanted).every(([key, value]) => isContained(value, (present as Record<string, unknown>)[key]));
}
