/** What stands before the body of an answer of HTTP/1.1. */
export interface Head {
  status: number;
  /** Its lines, as they are. */
  text: string;
  /** Whether the connection may be used again. */
  isKept: boolean;
  /** How long the body is: in pieces that say so themselves, or up to the end of the connection, where it is no number. */
  length: number | 'chunked' | 'until closed';
  /** Where the body begins. */
  from: number;
}

const end = '\r\n\r\n';
/** A server says once or twice that an answer comes later. */
const maxAnnouncements = 10;

/** Reads a head from the beginning of some bytes, if all of it is there. What is none is thrown. */
export function readHead(bytes: Buffer, start = 0, announcements = maxAnnouncements): Head | undefined {
  const at = bytes.indexOf(end, start);
  if (at < 0) return undefined;
  const text = bytes.toString('latin1', start, at);
  const [, version, digits] = /^HTTP\/1\.([01]) (\d{3})(?: |\r\n|$)/.exec(text) ?? [];
  if (digits === undefined) throw new Error('it does not speak HTTP/1.1');
  const from = at + end.length;
  const status = Number(digits);
  // Only an announcement that the answer comes later.
  if (status < 200) return announcements > 0 ? readHead(bytes, from, announcements - 1) : endless();
  const length = status === 204 || status === 304 ? 0 : lengthOf(text);
  const isKept = version === '1' && length !== 'until closed' && !/(?:^|, *)close\b/i.test(field(text, 'connection'));
  return { status, text, isKept, length, from };
}

/** The value of a header, named in small letters, or nothing. It takes as long as the head is, whatever is in it. */
export function field(head: string, name: string): string {
  const beginning = `${name}:`;
  for (const line of head.split(/\r?\n/)) {
    if (line.length < beginning.length || line.slice(0, beginning.length).toLowerCase() !== beginning) continue;
    return line.slice(beginning.length).trim();
  }
  return '';
}

function endless(): never {
  throw new Error('it sends only interim responses');
}

function lengthOf(head: string): Head['length'] {
  // If both are there, the length is not to be believed.
  if (/(?:^|, *)chunked$/i.test(field(head, 'transfer-encoding'))) return 'chunked';
  const length = field(head, 'content-length');
  if (length === '') return 'until closed';
  if (!/^\d{1,15}$/.test(length))
    throw new Error(`its response has the invalid length ${JSON.stringify(length.slice(0, 20))}`);
  return Number(length);
}
