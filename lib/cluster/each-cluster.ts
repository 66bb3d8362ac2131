import { quoted } from '../quoted.ts';

/** Which of the configured clusters an event means: all of them, where it does not say. */
export function clustersMeant(named: unknown, configured: readonly { name: string }[]): string[] {
  const names = configured.map(({ name }) => name);
  if (named === undefined) return names;
  if (typeof named === 'string' && names.includes(named)) return [named];
  throw new Error(`there is no cluster ${quoted(named)}; LONGSHORE_CLUSTERS has: ${names.join(', ')}`);
}

/** A cluster that cannot be reached must not stop the others, but the invocation must not look well either. */
export async function onEach<T>(names: readonly string[], work: (name: string) => Promise<T>): Promise<T[]> {
  const results = await Promise.allSettled(names.map(work));
  const errors = results.filter((result) => result.status === 'rejected').map((result) => result.reason);
  if (errors.length > 0) throw new AggregateError(errors, errors.map(String).join('; '));
  return results.filter((result) => result.status === 'fulfilled').map(({ value }) => value);
}
