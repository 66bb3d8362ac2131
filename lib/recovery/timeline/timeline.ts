import type { ClusterObject } from '../../kubernetes/objects.ts';
import type { ObjectName } from '../../kubernetes/resources.ts';
import { redacted } from '../../runtime/redaction.ts';
import { ClusterView, type View } from './cluster-view.ts';
import { type Entry, inOrder, nameOfObject } from './entry.ts';
import { type ArchiveReading, entriesOfArchive } from './of-archive.ts';
import { entriesOfEvents } from './of-events.ts';
import { entriesOfLogs, type LogReading } from './of-logs.ts';
import { entriesOf } from './of-object.ts';
import { relatedTo } from './related.ts';

export interface TimelineSources {
  view: View;
  /** Not there for whoever does not look into it. */
  archive?: Omit<ArchiveReading, 'onProblem'> | undefined;
  logs?: Omit<LogReading, 'onProblem'> | undefined;
}

export interface Timeline {
  entries: Entry[];
  /** Whether the object is in the cluster now; undefined when the cluster has not said. */
  isThere: boolean | undefined;
  /** Whether anybody has ever heard of it, as far as could be looked. */
  isKnown: boolean;
  /** What could not be looked at, and why. */
  problems: string[];
}

/** Everything that is known to have happened to an object, and to what belongs with it, in the order in which it did. */
export async function timelineOf(name: ObjectName, { view, archive, logs }: TimelineSources): Promise<Timeline> {
  const cluster = new ClusterView(view);
  const problems = new Set<string>();
  const onProblem = (problem: string) => void problems.add(problem);
  const object = await cluster.object(name);
  const hasAnswered = cluster.isWhole;
  const others = object ? othersOf(name, object, onProblem) : [];
  const objects = [name, ...others];
  const ofCluster = objects.map(async (each) =>
    seenOf(each, each === name ? object : await cluster.object(each), cluster),
  );
  const ofArchive = archive && entriesOfArchive(objects, { ...archive, onProblem });
  const ofLogs = logs && entriesOfLogs(objects, { ...logs, onProblem });
  const all = await Promise.all([...ofCluster, ofArchive ?? [], ofLogs ?? []]);
  const entries = inOrder(all.flat().map(withoutCredentials));
  const ownName = nameOfObject(name);
  return {
    entries,
    isThere: object ? true : hasAnswered ? false : undefined,
    isKnown: object !== undefined || entries.some((entry) => nameOfObject(entry.object) === ownName),
    problems: [...cluster.problems, ...problems],
  };
}

/** An object that is not as its kind should be is traced by itself. */
function othersOf(name: ObjectName, object: ClusterObject, onProblem: (problem: string) => void): ObjectName[] {
  try {
    return relatedTo(name, object);
  } catch (error) {
    onProblem(`objects related to ${nameOfObject(name)} cannot be found: ${error}`);
    return [];
  }
}

async function seenOf(name: ObjectName, object: ClusterObject | undefined, cluster: ClusterView): Promise<Entry[]> {
  const events = await cluster.eventsAbout(name);
  const told = entriesOfEvents(name, object?.metadata.uid, events);
  return object ? [...entriesOf(name, object), ...told] : told;
}

/** Others write into events and conditions as well, and may have written there what nobody is to read. */
function withoutCredentials({ what, details, ...entry }: Entry): Entry {
  const values = Object.entries(details).map(([field, value]) => [
    field,
    typeof value === 'string' ? redacted(value) : value,
  ]);
  return { ...entry, what: redacted(what), details: Object.fromEntries(values) };
}
