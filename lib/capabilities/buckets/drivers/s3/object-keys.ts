/**
 * Object keys may contain characters that XML 1.0 cannot represent, such as control characters. On request, S3 returns
 * the keys in its lists URL-encoded, and says so; a store that does not support this returns them unchanged.
 */
export function decodedKey(key: string | undefined, encoding: string | undefined): string {
  if (key === undefined || encoding !== 'url') return key ?? '';
  try {
    return decodeURIComponent(key.replaceAll('+', ' '));
  } catch {
    // Not in the encoding that the store declares.
    return key;
  }
}

/** True if a key is unchanged by an XML document. Some of these characters are legal there, but parsers change them. */
export function isXmlSafe(key: string): boolean {
  return !/[\p{Cc}\p{Cs}\uFFFE\uFFFF]|^\p{Z}|\p{Z}$/u.test(key);
}
