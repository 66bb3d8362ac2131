import { mapConcurrently } from '../runtime/map-concurrently.ts';
import { quoted } from '../runtime/quoted.ts';

/** The configured clusters that an event names; by default all of them. */
export function requestedClusters(named: unknown, configured: readonly { name: string }[]): string[] {
  const names = configured.map(({ name }) => name);
  if (named === undefined) return names;
  if (typeof named === 'string' && names.includes(named)) return [named];
  throw new Error(`there is no cluster ${quoted(named)}; LONGSHORE_CLUSTERS has: ${names.join(', ')}`);
}

/** A cluster that cannot be reached must not stop the others, but the invocation must not appear successful either. */
export async function onEach<T>(
  names: readonly string[],
  work: (name: string) => Promise<T>,
  max = Number.POSITIVE_INFINITY,
): Promise<T[]> {
  const settle = (name: string) => Promise.allSettled([work(name)]);
  const results = (await mapConcurrently(names, max, settle)).flat();
  const errors = results.filter((result) => result.status === 'rejected').map((result) => result.reason);
  if (errors.length > 0) throw new AggregateError(errors, errors.map(String).join('; '));
  return results.filter((result) => result.status === 'fulfilled').map(({ value }) => value);
}

/**
 * The number of clusters that are read at a time, and the time limit for each: a slow or hostile one does not delay the
 * others.
 */
export const clustersAtOnce = 8;
const clusterMs = 60_000;

/** Work on one cluster, awaited for no longer than its time limit. */
export async function inTime<T>(work: (signal: AbortSignal) => Promise<T>, milliseconds = clusterMs): Promise<T> {
  const signal = AbortSignal.timeout(milliseconds);
  const late = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => late.reject(new Error(`it took longer than ${milliseconds / 1_000} s`)));
  return Promise.race([work(signal), late.promise]);
}
