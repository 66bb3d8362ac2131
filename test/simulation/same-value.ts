/** Whether two JSON values say the same. What has been taken over as it was is seen at once. */
export function isSameValue(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [keys, others] = [present(one), present(other)];
  return keys.length === others.length && keys.every((key) => isSameValue(fieldOf(one, key), fieldOf(other, key)));
}

function present(value: object): string[] {
  return Object.keys(value).filter((key) => fieldOf(value, key) !== undefined);
}

function fieldOf(value: object, key: string): unknown {
  return (value as Record<string, unknown>)[key];
}
