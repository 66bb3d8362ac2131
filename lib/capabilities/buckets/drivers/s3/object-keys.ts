/**
 * Objects may have keys that no document of XML 1.0 can carry, such as those with control characters. S3 writes keys into
 * its lists as parts of an address if it is asked to, and says so; a store that does not know this writes them plainly.
 */
export function decodedKey(key: string | undefined, encoding: string | undefined): string {
  if (key === undefined || encoding !== 'url') return key ?? '';
  try {
    return decodeURIComponent(key.replaceAll('+', ' '));
  } catch {
    // Not written as the store says.
    return key;
  }
}

/** Whether a key survives in a document. Some of these characters are legal there, and yet changed by whoever reads it. */
export function isXmlSafe(key: string): boolean {
  return !/[\p{Cc}\p{Cs}\uFFFE\uFFFF]|^\p{Z}|\p{Z}$/u.test(key);
}
