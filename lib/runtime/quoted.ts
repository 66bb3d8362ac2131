const maxLength = 100;

/** Quotes a value of others for one of our messages: in quotes, on one line, and shortened. */
export function quoted(value: unknown): string {
  const text = written(value);
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}

function written(value: unknown): string {
  // Cut before it is quoted, as a string may be long.
  if (typeof value === 'string') return JSON.stringify(value.slice(0, maxLength + 1));
  try {
    return JSON.stringify(value) ?? 'nothing';
  } catch {
    // A value that was parsed may still be nested too deep to be serialised.
    return 'something that cannot be written down';
  }
}
