import type { ArchivedMessage } from '../../archive/line.ts';
import { type ArchiveRange, DamagedSegment, isIn, type SegmentSource } from '../../archive/read.ts';
import { realClock } from '../../clock.ts';
import { displayName, type ObjectName } from '../../cluster/resources.ts';
import { errorText } from '../../error-text.ts';
import { originOf } from '../../queue/origin.ts';
import { readerOf } from '../replay/archive-reader.ts';
import { type Entry, nameOfObject } from './entry.ts';

/** For so long a queue takes a message that it has for the same one. */
const sameForMs = 5 * 60_000;
/** A message that came so late says so: its queue was away, or the forwarder was. */
const lateMs = 1_000;

export interface ArchiveReading {
  source: SegmentSource;
  range: ArchiveRange;
  signal: AbortSignal;
  onProblem: (problem: string) => void;
}

/** What was sent about these objects. What cannot be read is left out, and told. */
export async function entriesOfArchive(
  objects: readonly ObjectName[],
  { source, range, signal, onProblem }: ArchiveReading,
): Promise<Entry[]> {
  const named = new Map(objects.map((object) => [nameOfObject(object), object]));
  const names = [...new Set(objects.map(({ name }) => `"${name}"`))];
  const reader = readerOf(source, realClock, signal);
  const sentAt = new Map<string, number>();
  const entries: Entry[] = [];
  const take = (message: ArchivedMessage) => {
    // Most messages are about others, and their bodies need not be read.
    if (!isIn(range, message) || !names.some((name) => message.body.includes(name))) return;
    const object = named.get(subjectOf(message.body));
    // As its queue knows it.
    const sameAs = `${message.function} ${message.groupId} ${message.deduplicationId}`;
    const beforeMs = sentAt.get(sameAs) ?? Number.NEGATIVE_INFINITY;
    const ms = message.sentAt.getTime();
    if (!object || Math.abs(ms - beforeMs) < sameForMs) return;
    sentAt.set(sameAs, ms);
    entries.push(entryOf(object, message));
  };
  try {
    for await (const segment of reader.segments(range, undefined)) {
      if (signal.aborted) break;
      await takeSegment(reader.messages(segment), take, onProblem);
    }
  } catch (error) {
    if (!signal.aborted) onProblem(`the archive cannot be read to its end: ${errorText(error)}`);
  }
  return entries;
}

/** Of a damaged one what stands before the damage counts. */
async function takeSegment(
  pieces: AsyncIterable<ArchivedMessage[]>,
  take: (message: ArchivedMessage) => void,
  onProblem: (problem: string) => void,
): Promise<void> {
  try {
    for await (const messages of pieces) messages.forEach(take);
  } catch (error) {
    if (!(error instanceof DamagedSegment)) throw error;
    onProblem(error.message);
  }
}

function entryOf(object: ObjectName, { body, sentAt, function: name }: ArchivedMessage): Entry {
  const { runId, traceparent, time, correlation } = originOf(body);
  const trace = traceparent?.split('-')[1];
  const { type = '' } = JSON.parse(body) as { type?: string };
  const cause = /\.(\w+)$/.exec(type)?.[1] ?? type;
  const lagMs = time ? sentAt.getTime() - time.getTime() : 0;
  const what = [
    `${cause}, to ${name}`,
    ...(runId === undefined ? [] : [`by run ${runId}`]),
    ...(lagMs >= lateMs ? [`${(lagMs / 1_000).toFixed(1)} s after it was seen`] : []),
    ...(trace === undefined ? [] : [`trace ${trace}`]),
  ].join(', ');
  const details = { function: name, cause, runId, trace, id: correlation, seenAt: time?.toISOString() };
  return { at: { ms: sentAt.getTime(), isExact: true }, source: 'message', object, what, details, isAnswer: false };
}

/** Which object a message is about, as it is displayed; of what is no message, nothing. */
function subjectOf(body: string): string {
  try {
    const { kind, namespace, name } = JSON.parse(body) as { kind: string; namespace?: string; name: string };
    return `${kind} ${displayName(namespace === undefined ? { name } : { namespace, name })}`;
  } catch {
    return '';
  }
}
