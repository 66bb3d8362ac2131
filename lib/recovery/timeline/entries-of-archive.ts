import type { ArchivedMessage } from '../../archive/archived-message.ts';
import { type ArchiveRange, DamagedSegment, isInRange, type SegmentSource } from '../../archive/read-archive.ts';
import { displayName, type ObjectName } from '../../kubernetes/resources.ts';
import { type Envelope, readEnvelope } from '../../queue/envelope.ts';
import { realClock } from '../../runtime/clock.ts';
import { errorText } from '../../runtime/error-text.ts';
import { readerOf } from '../replay/archive-reader.ts';
import { NewestEntries } from './newest-entries.ts';
import { SendDeduplication } from './send-deduplication.ts';
import { type Entry, nameOfObject } from './timeline-entry.ts';

/** A longer delay is shown: the queue or the forwarder was unavailable. */
const lateMs = 1_000;
/** Names of functions and types of changes are shorter. */
const maxNameLength = 100;

export interface ArchiveReading {
  source: SegmentSource;
  range: ArchiveRange;
  signal: AbortSignal;
  onProblem: (problem: string) => void;
}

/** Messages that were sent about these objects. Unreadable segments are left out and reported. */
export async function entriesOfArchive(
  objects: readonly ObjectName[],
  { source, range, signal, onProblem }: ArchiveReading,
): Promise<Entry[]> {
  const named = new Map(objects.map((object) => [nameOfObject(object), object]));
  const names = [...new Set(objects.map(({ name }) => `"${name}"`))];
  const reader = readerOf(source, realClock, signal);
  const taken = new SendDeduplication();
  const newest = new NewestEntries();
  const take = (message: ArchivedMessage) => {
    // Most messages are about other objects, and their bodies need not be parsed.
    if (!isInRange(range, message) || !names.some((name) => message.body.includes(name))) return;
    const envelope = readEnvelope(message.body);
    const object = named.get(nameIn(envelope, range.cluster));
    if (object && !taken.isRepeated(message)) newest.add(entryOf(object, message, envelope));
  };
  try {
    for await (const segment of reader.segments(range, undefined)) {
      if (signal.aborted) break;
      await takeSegment(reader.messages(segment), take, onProblem);
    }
  } catch (error) {
    if (!signal.aborted) onProblem(`the archive cannot be read to its end: ${errorText(error)}`);
  }
  for (const problem of newest.problemsOf('the archive')) onProblem(problem);
  return [...newest.entries];
}

/** From a damaged segment, the messages before the damage are taken. */
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

function entryOf(
  object: ObjectName,
  { sentAt, function: whole }: ArchivedMessage,
  { origin, type = '' }: Envelope,
): Entry {
  const name = whole.slice(0, maxNameLength);
  const { runId, traceparent, time, correlation } = origin;
  const trace = traceparent?.split('-')[1];
  const cause = (/\.(\w+)$/.exec(type)?.[1] ?? type).slice(0, maxNameLength);
  const lagMs = time ? sentAt.getTime() - time.getTime() : 0;
  const what = [
    `${cause}, to ${name}`,
    ...(runId === undefined ? [] : [`by run ${runId}`]),
    ...(lagMs >= lateMs ? [`${(lagMs / 1_000).toFixed(1)} s after it was seen`] : []),
    ...(trace === undefined ? [] : [`trace ${trace}`]),
  ].join(', ');
  const details = { function: name, cause, runId, trace, id: correlation, seenAt: time?.toISOString() };
  return { at: { ms: sentAt.getTime(), isExact: true }, source: 'message', object, what, details, isReaction: false };
}

/** The display name of the object that a message is about; empty if it is not a message about this cluster. */
function nameIn({ object }: Envelope, cluster: string): string {
  const { kind, namespace, name } = object;
  // Objects of other clusters may have the same names, and Longshore does not archive messages about them here.
  if (object.cluster !== cluster || name === undefined) return '';
  return `${kind} ${displayName(namespace === undefined ? { name } : { namespace, name })}`;
}
