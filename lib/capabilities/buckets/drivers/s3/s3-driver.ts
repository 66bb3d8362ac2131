import type { Failure, GrantAccessRequest } from '../driver.ts';
import type { SweepableDriver } from '../sweepable-driver.ts';
import { grantAccess, revokeAccess } from './access.ts';
import { type Clock, outcomeOf } from './call.ts';
import type { Connect } from './connection-settings.ts';
import { createBucket } from './create-bucket.ts';
import { deleteBucket } from './delete-bucket.ts';
import { fail, invalid, StoreError } from './errors.ts';
import { findOwned } from './find-owned.ts';
import { removeOwned } from './remove-owned.ts';
import { type DriverOptions, s3Rules } from './s3-checks.ts';
import { type About, openStore, type Store, type StoreOptions } from './store.ts';

export interface S3DriverOptions extends DriverOptions {
  clock?: Clock;
}

/** S3 buckets, and an IAM user or role for each consumer. */
export function createS3Driver(name: string, connect: Connect, options: S3DriverOptions = {}): SweepableDriver {
  const { identity, clock = Date.now, permissionsBoundary } = options;
  const bounded = withinBoundary(permissionsBoundary);
  const rules = s3Rules(name, options);
  const { check } = rules;
  const inStore = inStoreOf({ connect, defaults: options, clock });
  return {
    ...rules,
    createBucket: (request) =>
      inStore(request, (store) => createBucket(store, request, identity), check(request.parameters, 'Greenfield')),
    deleteBucket: (request) => inStore(request, (store) => deleteBucket(store, request, identity)),
    grantBucketAccess: (request) =>
      inStore(
        request,
        (store) => grantAccess(store, bounded(request), identity),
        check(request.parameters, request.flow),
      ),
    revokeBucketAccess: (request) => inStore(request, (store) => revokeAccess(store, request, identity)),
    findOwned: (request) => inStore(request, (store) => findOwned(store, request, identity)),
    removeOwned: (request) => inStore(request, (store) => removeOwned(store, request.item, identity)),
  };
}

/** A class with keys of its own is for another account, or for a store that has no such policy. */
function withinBoundary(boundary: string | undefined) {
  return (request: GrantAccessRequest): GrantAccessRequest => {
    const { parameters } = request;
    if (!boundary || parameters.driverSecretName) return request;
    return { ...request, parameters: { permissionsBoundary: boundary, ...parameters } };
  };
}

/**
 * Creating depends on all parameters; removing must succeed even if they are no longer valid. A failure to create also
 * reports if anything may have been left behind.
 */
export function inStoreOf(options: StoreOptions) {
  return async <Outcome>(about: About, work: (store: Store) => Promise<Outcome>, problems?: string[]) => {
    const effects = { mayHaveChanged: false };
    const outcome = await outcomeOf<Outcome>(async () => {
      if (problems?.length) throw invalid(problems.join('. '));
      return work(openStore(about, options, effects)).catch((error) => {
        throw isExpired(error, about) ? fail('denied', error.message) : error;
      });
    });
    return problems && isFailure(outcome) && !effects.mayHaveChanged
      ? { ...outcome, hasChangedNothing: true }
      : outcome;
  };
}

/** The function's own keys are rotated automatically; those of a Secret by its owner. */
function isExpired(error: unknown, { parameters }: About): error is StoreError {
  return error instanceof StoreError && error.code === 'ExpiredToken' && parameters.driverSecretName !== undefined;
}

const failures: Record<Failure['result'], true> = {
  invalid: true,
  taken: true,
  missing: true,
  denied: true,
  unavailable: true,
};

function isFailure(outcome: unknown): outcome is Failure {
  return Object.hasOwn(failures, (outcome as { result: string }).result);
}
