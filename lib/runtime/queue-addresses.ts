import * as v from 'valibot';
import { plainObject } from './config-values.ts';

/** The queue of each function. A queue gets one message per change: of two functions that share it, one would never receive it. */
export const queueAddresses = v.pipe(
  plainObject,
  v.record(v.string(), v.string('must be the address of a queue')),
  v.check(
    (queues) => sharing(queues) === undefined,
    ({ input }) => `has one address for ${sharing(input)}: each needs its own queue`,
  ),
);

/** The first two functions that share a queue. */
function sharing(queues: Record<string, string>): string | undefined {
  const shared = Map.groupBy(Object.entries(queues), ([, url]) => url);
  const several = [...shared.values()].find(({ length }) => length > 1);
  return several
    ?.slice(0, 2)
    .map(([name]) => name)
    .join(' and ');
}
