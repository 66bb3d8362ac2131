import { requestBucket } from '../../lib/capabilities/buckets/steps/request-bucket/step.ts';
import { declarations } from '../../lib/compose/declarations.ts';
import type { Declaration } from '../../lib/reconcile/declaration.ts';
import type { KnownFunction, KnownFunctions } from '../../lib/recovery/dead-letters/known-functions.ts';

/** Every function that has a queue. A step reads with the permissions of the user, and writes nothing. */
export const functions: KnownFunctions = {
  ...Object.fromEntries(declarations.flatMap(entryOf)),
  'request-bucket': { stepFor: (request) => requestBucket(request) },
};

function entryOf({ name, step, made }: Declaration): [string, KnownFunction][] {
  if (step) return [[name, { step }]];
  return made ? [[name, { deployedStep: made, absentMeans: made.absentMeans }]] : [];
}
