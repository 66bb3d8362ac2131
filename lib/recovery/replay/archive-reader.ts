import type { ArchivedMessage } from '../../archive/archived-message.ts';
import { type ArchiveRange, readSegment, type SegmentSource, segmentsOf } from '../../archive/read-archive.ts';
import type { Clock } from '../../runtime/clock.ts';
import { FetchedAhead } from './fetched-ahead.ts';

/** The archive as a replay reads it. */
export interface ArchiveReader {
  /** The segments of a range, or those of them from this one on, in order. */
  segments(range: ArchiveRange, first: string | undefined): AsyncIterable<string>;
  /** The messages of one of these, some at a time, in order. */
  messages(segment: string): AsyncIterable<ArchivedMessage[]>;
}

/** Reads segments from where they are kept, some of them before it is their turn. */
export function readerOf(source: SegmentSource, clock: Pick<Clock, 'pause'>, signal: AbortSignal): ArchiveReader {
  const ahead = new FetchedAhead(source, clock, signal);
  return {
    segments: (range, first) => ahead.segments(segmentsOf(source, range, first)),
    messages: (segment) => readSegment(ahead, segment),
  };
}
