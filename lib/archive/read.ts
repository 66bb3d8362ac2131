import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { longestSpanMs } from './limits.ts';
import { type ArchivedMessage, parseLine } from './line.ts';
import { clusterPrefix, parseSegmentName, startOf } from './names.ts';

/** Where segments are read from. */
export interface SegmentSource {
  /** The names with this prefix that come after this one, in ascending order, page by page. */
  list(prefix: string, after: string): AsyncIterable<string[]>;
  open(name: string): Promise<Readable>;
}

export interface ArchiveRange {
  cluster: string;
  /** The first moment. */
  from: Date;
  /** The moment after the last one. */
  to: Date;
}

export class DamagedSegment extends Error {
  readonly segment: string;

  constructor(segment: string, reason: string) {
    super(`segment ${segment} is damaged: ${reason}. To go on without what is left of it, move it to another prefix`);
    this.name = 'DamagedSegment';
    this.segment = segment;
  }
}

/** No message is longer than 1 MiB, and JSON makes at most six bytes of one. What is longer is no line of ours. */
const longestLineBytes = 7 * 1024 * 1024;

/** The messages that were sent in a range of time, segment after segment. No more than one line is held at a time. */
export async function* readArchive(source: SegmentSource, range: ArchiveRange): AsyncGenerator<ArchivedMessage> {
  for await (const name of segmentsOf(source, range)) {
    for await (const message of messagesOf(source, name)) {
      if (message.sentAt >= range.from && message.sentAt < range.to) yield message;
    }
  }
}

/** The segments in which messages of a range of time can be. */
export async function* segmentsOf(source: SegmentSource, { cluster, from, to }: ArchiveRange): AsyncGenerator<string> {
  const end = startOf(cluster, to.getTime());
  for await (const page of source.list(clusterPrefix(cluster), startOf(cluster, from.getTime() - longestSpanMs))) {
    for (const name of page) {
      if (name >= end) return;
      if (parseSegmentName(name)) yield name;
    }
  }
}

async function* messagesOf(source: SegmentSource, name: string): AsyncGenerator<ArchivedMessage> {
  let number = 0;
  for await (const line of linesOf(source, name)) {
    number += 1;
    yield readLine(name, number, line);
  }
  // A segment is begun by its first message.
  if (number === 0) throw new DamagedSegment(name, 'it is empty');
}

function readLine(name: string, number: number, line: string): ArchivedMessage {
  try {
    return parseLine(line);
  } catch (error) {
    throw new DamagedSegment(name, `line ${number} cannot be read: ${messageOf(error)}`);
  }
}

async function* linesOf(source: SegmentSource, name: string): AsyncGenerator<string> {
  let rest: Buffer[] = [];
  let restBytes = 0;
  for await (const chunk of textOf(source, name)) {
    let start = 0;
    for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, start)) {
      yield Buffer.concat([...rest, chunk.subarray(start, end)]).toString();
      [rest, restBytes, start] = [[], 0, end + 1];
    }
    rest.push(chunk.subarray(start));
    restBytes += chunk.length - start;
    if (restBytes > longestLineBytes) throw new DamagedSegment(name, 'a line is longer than any that is written');
  }
  if (restBytes > 0) throw new DamagedSegment(name, 'its last line has no end');
}

async function* textOf(source: SegmentSource, name: string): AsyncGenerator<Buffer> {
  try {
    // The callback does nothing, because whatever fails is thrown to whoever reads the last stream.
    const text = pipeline(await source.open(name), createGunzip(), () => {});
    for await (const chunk of text) yield chunk as Buffer;
  } catch (error) {
    if (isOfCompression(error)) throw new DamagedSegment(name, messageOf(error));
    throw new Error(`segment ${name} could not be read, try again: ${messageOf(error)}`, { cause: error });
  }
}

/** What zlib finds wrong has a code of its own; anything else is the connection. */
function isOfCompression(error: unknown): boolean {
  return String((error as { code?: unknown }).code).startsWith('Z_');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
