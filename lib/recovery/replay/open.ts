import { segmentsOf } from '../../archive/read-archive.ts';
import { type ArchivedSpan, archivedSpan } from './archived-span.ts';
import type { Filter } from './filter.ts';
import type { Means } from './means.ts';
import { isRunId, parseRecord, type ReplayRecord } from './record.ts';
import type { ReplaySpec } from './spec.ts';
import { emptySummary } from './summary.ts';

/** The options of a new run. */
export interface Beginning {
  from: Date;
  to: Date;
  /** By default all clusters that are in the archive and are served. */
  cluster?: string | undefined;
  filter: Filter;
  oncePerKey: boolean;
}

/** The maximum number of unserved clusters in the archive that are named. */
const maxUnservedNamed = 20;

/** There is nothing to replay. */
export class NothingToReplay extends Error {
  override name = 'NothingToReplay';
}

type Needed = Pick<Means, 'source' | 'clusters' | 'served' | 'records' | 'functions' | 'clock' | 'onUnserved'>;

/** The record of a resumed run, or of a new one with something to do. */
export async function openRecord(
  begin: Beginning | { resume: string },
  newRunId: () => string,
  means: Needed,
): Promise<ReplayRecord> {
  if ('resume' in begin) return recordOf(begin.resume, means);
  const wish = await specOf(begin, means);
  return {
    runId: newRunId(),
    startedAt: means.clock.now(),
    wish,
    position: undefined,
    summary: emptySummary,
    isDone: false,
  };
}

async function recordOf(runId: string, { records }: Needed): Promise<ReplayRecord> {
  const text = isRunId(runId) ? await records.read(runId) : undefined;
  if (text !== undefined) return parseRecord(text, runId);
  throw new NothingToReplay(`there is no run ${JSON.stringify(runId)} in ${records.place}: it may have expired`);
}

async function specOf({ cluster, filter, ...rest }: Beginning, means: Needed): Promise<ReplaySpec> {
  const { functions } = means;
  if (filter.function !== undefined && !functions.includes(filter.function)) {
    const known = functions.join(', ');
    throw new NothingToReplay(
      `messages cannot be replayed to a function ${filter.function}; the functions are ${known}`,
    );
  }
  const wish: ReplaySpec = { ...rest, filter, clusters: await requestedClusters(cluster, means) };
  if (await isEmpty(wish, means)) throw new NothingToReplay(await whatThereIs(wish, means));
  return wish;
}

/** A message about a cluster that is not served would only become a dead letter. */
async function requestedClusters(named: string | undefined, means: Needed): Promise<string[]> {
  const { archived, unserved } = await clustersIn(means);
  const all = [...archived, ...unserved].sort();
  const has = all.join(', ');
  if (all.length === 0) throw new NothingToReplay('the archive is empty: nothing has been sent since it was created');
  const { served = named === undefined ? all : [named] } = means;
  if (named !== undefined) {
    const serves = `no cluster ${named} is served here; the clusters are ${served.join(', ')}`;
    if (!served.includes(named)) throw new NothingToReplay(serves);
    if (all.includes(named)) return [named];
    throw new NothingToReplay(`the archive has no messages about a cluster ${named}; it has ${has}`);
  }
  if (archived.length === 0) {
    throw new NothingToReplay(`the archive has no messages about ${served.join(', ')}; it has ${has}`);
  }
  if (unserved.length > 0) means.onUnserved?.(unserved);
  return archived.sort();
}

/**
 * Each cluster once, and only as many unserved ones as are named: anyone who can write into the archive can invent any
 * number.
 */
async function clustersIn({ clusters, served }: Needed): Promise<Record<'archived' | 'unserved', string[]>> {
  const archived = new Set<string>();
  const unserved = new Set<string>();
  for await (const each of clusters()) {
    if (!served || served.includes(each)) archived.add(each);
    else if (unserved.size < maxUnservedNamed) unserved.add(each);
  }
  return { archived: [...archived], unserved: [...unserved].sort() };
}

async function isEmpty({ clusters, from, to }: ReplaySpec, { source }: Needed): Promise<boolean> {
  for (const cluster of clusters) {
    for await (const _ of segmentsOf(source, { cluster, from, to })) return false;
  }
  return true;
}

async function whatThereIs({ clusters, from, to }: ReplaySpec, { source, clock }: Needed): Promise<string> {
  const spans: ArchivedSpan[] = [];
  for (const cluster of clusters) {
    const span = await archivedSpan(source, cluster, clock.now());
    if (span) spans.push(span);
  }
  const descriptions = spans.map(
    ({ cluster, first, last }) =>
      `about ${cluster} it has messages from ${first.toISOString()} to ${last.toISOString()}`,
  );
  return `the archive has nothing from ${from.toISOString()} to ${to.toISOString()}; ${descriptions.join('; ')}`;
}
