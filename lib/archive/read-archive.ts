import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { LineSplitter } from '../json/lines.ts';
import { errorText } from '../runtime/error-text.ts';
import { type ArchivedMessage, parseLine } from './archived-message.ts';
import { maxSegmentBytes, maxSpanMs } from './segment-limits.ts';
import { clusterPrefix, parseSegmentName, sortKeyAt } from './segment-names.ts';

/** Reads segments. */
export interface SegmentSource {
  /** The names with this prefix that come after this one, in ascending order, page by page. */
  list(prefix: string, after: string): AsyncIterable<string[]>;
  open(name: string): Promise<Readable>;
}

type Opener = Pick<SegmentSource, 'open'>;

export interface ArchiveRange {
  cluster: string;
  /** Inclusive. */
  from: Date;
  /** Exclusive. */
  to: Date;
}

export class DamagedSegment extends Error {
  readonly segment: string;
  readonly reason: string;

  constructor(segment: string, reason: string) {
    super(`segment ${segment} is damaged: ${reason}. To continue without the rest of it, move it to another prefix`);
    this.name = 'DamagedSegment';
    this.segment = segment;
    this.reason = reason;
  }
}

/** A message has at most 1 MiB, and JSON at most six bytes for one. Longshore writes no longer line. */
const maxLineBytes = 7 * 1024 * 1024;

/** A segment is closed at `segmentBytes`, and its last line may begin right before that. */
const maxTextBytes = maxSegmentBytes + maxLineBytes;

/** The messages that were sent in a time range, segment after segment. Little more than one chunk is kept in memory. */
export async function* readArchive(source: SegmentSource, range: ArchiveRange): AsyncGenerator<ArchivedMessage> {
  for await (const name of segmentsOf(source, range)) {
    for await (const messages of readSegment(source, name)) {
      for (const message of messages) if (isInRange(range, message)) yield message;
    }
  }
}

export function isInRange({ from, to }: Pick<ArchiveRange, 'from' | 'to'>, { sentAt }: ArchivedMessage): boolean {
  return sentAt >= from && sentAt < to;
}

/** The segments that can contain messages of a time range, optionally only those from `first` on. */
export async function* segmentsOf(
  source: SegmentSource,
  { cluster, from, to }: ArchiveRange,
  first = '',
): AsyncGenerator<string> {
  const end = sortKeyAt(cluster, to.getTime());
  const start = sortKeyAt(cluster, from.getTime() - maxSpanMs);
  // No segment's name is a prefix of another's, so no name lies between these two.
  const before = first.slice(0, -1);
  for await (const page of source.list(clusterPrefix(cluster), before > start ? before : start)) {
    for (const name of page) {
      if (name >= end) return;
      if (parseSegmentName(name)) yield name;
    }
  }
}

/** The messages of one segment, several at a time. Messages before a damage are returned before it is thrown. */
export async function* readSegment(source: Opener, name: string): AsyncGenerator<ArchivedMessage[]> {
  const lines = new LineSplitter();
  let count = 0;
  let bytes = 0;
  for await (const chunk of textOf(source, name)) {
    bytes += chunk.length;
    // A few megabytes may decompress to thousands of times as much.
    if (bytes > maxTextBytes)
      throw new DamagedSegment(name, 'it decompresses to more than any segment that Longshore writes');
    const messages: ArchivedMessage[] = [];
    let damage: DamagedSegment | undefined;
    lines.push(chunk, (bytes, start, end) => {
      if (damage) return;
      count += 1;
      const read = readLine(name, count, bytes.toString('utf8', start, end));
      if (read instanceof DamagedSegment) damage = read;
      else messages.push(read);
    });
    if (messages.length > 0) yield messages;
    if (lines.restBytes > maxLineBytes)
      damage ??= new DamagedSegment(name, 'a line is longer than any that Longshore writes');
    if (damage) throw damage;
  }
  if (lines.hasRest) throw new DamagedSegment(name, 'its last line is incomplete');
  // A segment is created for its first message.
  if (count === 0) throw new DamagedSegment(name, 'it is empty');
}

function readLine(name: string, number: number, line: string): ArchivedMessage | DamagedSegment {
  try {
    return parseLine(line);
  } catch (error) {
    return new DamagedSegment(name, `line ${number} cannot be read: ${errorText(error)}`);
  }
}

async function* textOf(source: Opener, name: string): AsyncGenerator<Buffer> {
  try {
    // The callback does nothing, because errors are thrown to the reader of the last stream.
    const text = pipeline(await source.open(name), createGunzip(), () => {});
    for await (const chunk of text) yield chunk as Buffer;
  } catch (error) {
    if (error instanceof DamagedSegment) throw error;
    if (isOfCompression(error)) throw new DamagedSegment(name, errorText(error));
    throw new Error(`segment ${name} could not be read, try again: ${errorText(error)}`, { cause: error });
  }
}

/** zlib's errors have their own codes; any other comes from the connection. */
function isOfCompression(error: unknown): boolean {
  return String((error as { code?: unknown }).code).startsWith('Z_');
}
