import type { ArchivedMessage } from '../../archive/archived-message.ts';
import { type ArchiveRange, readSegment, type SegmentSource, segmentsOf } from '../../archive/read-archive.ts';
import type { Clock } from '../../runtime/clock.ts';
import { FetchedAhead } from './fetched-ahead.ts';

/** The archive as a replay reads it. */
export interface ArchiveReader {
  /** The segments of a range, or those from this one on, in order. */
  segments(range: ArchiveRange, first: string | undefined): AsyncIterable<string>;
  /** The messages of a segment, in chunks, in order. */
  messages(segment: string): AsyncIterable<ArchivedMessage[]>;
}

/** Reads segments from their store, some of them in advance. */
export function readerOf(source: SegmentSource, clock: Pick<Clock, 'pause'>, signal: AbortSignal): ArchiveReader {
  const ahead = new FetchedAhead(source, clock, signal);
  return {
    segments: (range, first) => ahead.segments(segmentsOf(source, range, first)),
    messages: (segment) => readSegment(ahead, segment),
  };
}
