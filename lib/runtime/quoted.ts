const longest = 100;

/** A text of somebody else's in a sentence of ours: in quotes, on one line, and not long. */
export function quoted(value: unknown): string {
  const text = written(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

function written(value: unknown): string {
  // A long text is not written as a whole to be cut off then.
  if (typeof value === 'string') return JSON.stringify(value.slice(0, longest + 1));
  try {
    return JSON.stringify(value) ?? 'nothing';
  } catch {
    // What can be parsed may still be nested too deep to be written.
    return 'something that cannot be written down';
  }
}
