import type { ClusterObject } from '../../kubernetes/objects.ts';
import type { ObjectName } from '../../kubernetes/resources.ts';
import { redacted } from '../../runtime/redaction.ts';
import { ClusterView, type View } from './cluster-view.ts';
import { type ArchiveReading, entriesOfArchive } from './entries-of-archive.ts';
import { entriesOfEvents } from './entries-of-events.ts';
import { entriesOfLogs, type LogReading } from './entries-of-logs.ts';
import { entriesOf } from './entries-of-object.ts';
import { relatedTo } from './related-objects.ts';
import { type Entry, nameOfObject, sortedByTime } from './timeline-entry.ts';

export interface TimelineSources {
  view: View;
  /** Undefined if the archive is not to be read. */
  archive?: Omit<ArchiveReading, 'onProblem'> | undefined;
  logs?: Omit<LogReading, 'onProblem'> | undefined;
}

export interface Timeline {
  entries: Entry[];
  /** Whether the object is in the cluster now; undefined if the cluster has not answered. */
  exists: boolean | undefined;
  /** False if nothing that could be read mentions the object. */
  isKnown: boolean;
  /** Sources that could not be read, and why. */
  problems: string[];
}

/** Everything that is known to have happened to an object and to related objects, in order. */
export async function timelineOf(name: ObjectName, { view, archive, logs }: TimelineSources): Promise<Timeline> {
  const cluster = new ClusterView(view);
  const problems = new Set<string>();
  const onProblem = (problem: string) => void problems.add(problem);
  const object = await cluster.object(name);
  const hasAnswered = cluster.isWhole;
  const others = object ? relatedObjectsOf(name, object, onProblem) : [];
  const objects = [name, ...others];
  const ofCluster = objects.map(async (each) =>
    clusterEntriesOf(each, each === name ? object : await cluster.object(each), cluster),
  );
  const ofArchive = archive && entriesOfArchive(objects, { ...archive, onProblem });
  const ofLogs = logs && entriesOfLogs(objects, { ...logs, onProblem });
  const all = await Promise.all([...ofCluster, ofArchive ?? [], ofLogs ?? []]);
  const entries = sortedByTime(all.flat().map(withoutCredentials));
  const ownName = nameOfObject(name);
  return {
    entries,
    exists: object ? true : hasAnswered ? false : undefined,
    isKnown: object !== undefined || entries.some((entry) => nameOfObject(entry.object) === ownName),
    problems: [...cluster.problems, ...problems],
  };
}

/** An object that does not match its kind's schema is traced on its own. */
function relatedObjectsOf(name: ObjectName, object: ClusterObject, onProblem: (problem: string) => void): ObjectName[] {
  try {
    return relatedTo(name, object);
  } catch (error) {
    onProblem(`objects related to ${nameOfObject(name)} cannot be found: ${error}`);
    return [];
  }
}

async function clusterEntriesOf(
  name: ObjectName,
  object: ClusterObject | undefined,
  cluster: ClusterView,
): Promise<Entry[]> {
  const events = await cluster.eventsAbout(name);
  const told = entriesOfEvents(name, object?.metadata.uid, events);
  return object ? [...entriesOf(name, object), ...told] : told;
}

/** Others write into events and conditions too, and may have written credentials there. */
function withoutCredentials({ what, details, ...entry }: Entry): Entry {
  const values = Object.entries(details).map(([field, value]) => [
    field,
    typeof value === 'string' ? redacted(value) : value,
  ]);
  return { ...entry, what: redacted(what), details: Object.fromEntries(values) };
}
