import type { ArchivedMessage } from '../../archive/line.ts';
import { type ArchiveRange, DamagedSegment, isIn, type SegmentSource } from '../../archive/read.ts';
import { displayName, type ObjectName } from '../../kubernetes/resources.ts';
import { originOf } from '../../queue/origin.ts';
import { realClock } from '../../runtime/clock.ts';
import { errorText } from '../../runtime/error-text.ts';
import { readerOf } from '../replay/archive-reader.ts';
import { type Entry, nameOfObject } from './entry.ts';
import { Newest } from './newest.ts';
import { TakenOnce } from './taken-once.ts';

/** A message that came so late says so: its queue was away, or the forwarder was. */
const lateMs = 1_000;
/** No function and no type of a change has so long a name. */
const maxNameLength = 100;

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
  const taken = new TakenOnce();
  const newest = new Newest();
  const take = (message: ArchivedMessage) => {
    // Most messages are about others, and their bodies need not be read.
    if (!isIn(range, message) || !names.some((name) => message.body.includes(name))) return;
    const object = named.get(subjectOf(message.body, range.cluster));
    if (object && !taken.has(message)) newest.add(entryOf(object, message));
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

function entryOf(object: ObjectName, { body, sentAt, function: whole }: ArchivedMessage): Entry {
  const name = whole.slice(0, maxNameLength);
  const { runId, traceparent, time, correlation } = originOf(body);
  const trace = traceparent?.split('-')[1];
  const { type } = JSON.parse(body) as { type?: unknown };
  const typeText = typeof type === 'string' ? type : '';
  const cause = (/\.(\w+)$/.exec(typeText)?.[1] ?? typeText).slice(0, maxNameLength);
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

/** Which object of the cluster a message is about, as it is displayed; of what is no message, nothing. */
function subjectOf(body: string, cluster: string): string {
  try {
    const { source, kind, namespace, name } = JSON.parse(body) as Record<'source' | 'kind' | 'name', string> & {
      namespace?: string;
    };
    // Objects of other clusters may have the same names, and nobody of ours puts what is about them here.
    if (source !== cluster) return '';
    return `${kind} ${displayName(namespace === undefined ? { name } : { namespace, name })}`;
  } catch {
    return '';
  }
}
