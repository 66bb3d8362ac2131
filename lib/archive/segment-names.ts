/**
 * Names of segments: `cluster=main/date=2026-11-19/hour=01/20261119T011959123Z-5f0c9a3be817-000000.ndjson.gz`. All times
 * are UTC and of one width, so that names of one cluster sort by time, and a range of time is a range of a listing.
 */

/** The last time with a four-digit year: later ones would not sort. */
const endOfTime = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
const segmentPattern =
  /^cluster=([A-Za-z0-9._-]+)\/date=(\d{4}-\d{2}-\d{2})\/hour=(\d{2})\/(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})(\d{3})Z-([A-Za-z0-9._-]+)-(\d{6,})\.ndjson\.gz$/;
/** A name in S3 has at most 1,024 bytes; the parts other than the cluster's name need fewer than 124. */
const maxClusterLength = 900;

export interface SegmentName {
  cluster: string;
  /** When the first message of the segment was sent. */
  time: Date;
  /** The process that wrote it. Unique, so that no process overwrites another's segments. */
  writer: string;
  sequence: number;
}

export function segmentName({ cluster, time, writer, sequence }: SegmentName): string {
  const number = String(sequence).padStart(6, '0');
  return `${sortKeyAt(cluster, time.getTime())}-${encodeName(writer)}-${number}.ndjson.gz`;
}

/** Undefined if the name is not a segment's: others may put objects into the bucket. */
export function parseSegmentName(name: string): SegmentName | undefined {
  const found = segmentPattern.exec(name);
  if (!found) return undefined;
  const [, cluster = '', , , year, month, day, hour, minute, second, milliseconds, writer = '', sequence] = found;
  const time = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}.${milliseconds}Z`);
  if (Number.isNaN(time.getTime())) return undefined;
  return { cluster: decodeName(cluster), time, writer: decodeName(writer), sequence: Number(sequence) };
}

/** The prefix of all names of a cluster's segments. */
export function clusterPrefix(cluster: string): string {
  const encoded = encodeName(cluster);
  if (encoded.length <= maxClusterLength) return `cluster=${encoded}/`;
  throw new Error(
    `the cluster name ${JSON.stringify(cluster.slice(0, 40))}… is too long for the archive: it can have ${maxClusterLength} characters, and each byte other than A-Z, a-z, 0-9, "." and "-" counts as three. Use a shorter name`,
  );
}

/** The cluster of a prefix; undefined if Longshore would spell it otherwise, as the cluster would be listed twice. */
export function clusterOfPrefix(prefix: string): string | undefined {
  const encoded = /^cluster=([A-Za-z0-9._-]+)\/$/.exec(prefix)?.[1] ?? '';
  const cluster = decodeName(encoded);
  const isOurs = encoded !== '' && encoded.length <= maxClusterLength && encodeName(cluster) === encoded;
  return isOurs ? cluster : undefined;
}

/** Sorts before every segment that begins at this time or later, and after every one that begins earlier. */
export function sortKeyAt(cluster: string, milliseconds: number): string {
  const iso = new Date(Math.min(endOfTime, Math.max(0, milliseconds))).toISOString();
  return `${clusterPrefix(cluster)}date=${iso.slice(0, 10)}/hour=${iso.slice(11, 13)}/${iso.replaceAll(/[-:.]/g, '')}`;
}

/**
 * Encodes a name in characters that are safe in S3 keys, URLs and shells: others become `_` and the two hexadecimal digits
 * of each byte. A percent sign would be encoded again by some tools, and not by others.
 */
export function encodeName(name: string): string {
  if (!name.isWellFormed()) {
    throw new Error(`the name ${JSON.stringify(name)} is not valid Unicode: use a name that is`);
  }
  return [...Buffer.from(name)].map((byte) => (isPlain(byte) ? String.fromCharCode(byte) : escaped(byte))).join('');
}

export function decodeName(encoded: string): string {
  const bytes = encoded.replaceAll(/_([0-9a-f]{2})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

function isPlain(byte: number): boolean {
  return byte < 0x80 && /[A-Za-z0-9.-]/.test(String.fromCharCode(byte));
}

function escaped(byte: number): string {
  return `_${byte.toString(16).padStart(2, '0')}`;
}
