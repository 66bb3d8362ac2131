import { type SegmentSource, segmentsOf } from '../../archive/read-archive.ts';
import { parseSegmentName } from '../../archive/segment-names.ts';

export interface ArchivedSpan {
  cluster: string;
  /** The start times of the first and the last segment. */
  first: Date;
  last: Date;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const always = { from: new Date(0), to: new Date(Date.UTC(9999, 11, 31)) };

/** The time span of the archived messages of a cluster, found with few listings. */
export async function archivedSpan(
  source: SegmentSource,
  cluster: string,
  now: Date,
): Promise<ArchivedSpan | undefined> {
  const first = await nextTime(source, cluster, always.from);
  if (!first) return undefined;
  // Listings only go forward, so the last hour is found by bisection. Some forwarder's clock may be ahead of this one.
  let last = first;
  let after = Math.max(now.getTime() + dayMs, first.getTime() + dayMs);
  while (after - last.getTime() > hourMs) {
    const middle = new Date((after + last.getTime()) / 2);
    const next = await nextTime(source, cluster, middle);
    if (next && next > last) last = next;
    else after = middle.getTime();
  }
  for await (const name of segmentsOf(source, { ...always, cluster, from: last })) last = timeOf(name) ?? last;
  return { cluster, first, last };
}

async function nextTime(source: SegmentSource, cluster: string, from: Date): Promise<Date | undefined> {
  for await (const name of segmentsOf(source, { ...always, cluster, from })) return timeOf(name);
  return undefined;
}

function timeOf(name: string): Date | undefined {
  return parseSegmentName(name)?.time;
}
