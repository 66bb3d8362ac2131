import type { Failure, Flow, Parameters } from '../driver.ts';
import { infoOf } from '../driver-config.ts';
import type { SweepingDriver } from '../owned.ts';
import { grantAccess, revokeAccess } from './access.ts';
import { type Clock, outcomeOf } from './call.ts';
import { createBucket } from './create-bucket.ts';
import { deleteBucket } from './delete-bucket.ts';
import { invalid } from './errors.ts';
import { findOwned } from './find-owned.ts';
import { checkParameters } from './parameters.ts';
import { removeOwned } from './remove-owned.ts';
import type { Connect, Defaults } from './settings.ts';
import { settleWithIam } from './settle.ts';
import { type About, openStore, type Store, type StoreOptions } from './store.ts';

export interface S3DriverOptions extends Defaults {
  /** Which deployment this is: its users and roles are below a path of this name. */
  identity?: string | undefined;
  clock?: Clock;
}

/** Buckets of S3, and for each consumer a user or a role of IAM. */
export function createS3Driver(name: string, connect: Connect, options: S3DriverOptions = {}): SweepingDriver {
  const { identity, clock = Date.now, ...defaults } = options;
  const check = (parameters: Parameters, flow: Flow) => checkParameters(parameters, flow, defaults);
  const inStore = inStoreOf({ connect, defaults, clock });
  return {
    info: () => infoOf({ name, type: 's3' }),
    check,
    settle: (parameters) => settleWithIam(parameters, defaults),
    createBucket: (request) =>
      inStore(request, (store) => createBucket(store, request, identity), check(request.parameters, 'Greenfield')),
    deleteBucket: (request) => inStore(request, (store) => deleteBucket(store, request)),
    grantBucketAccess: (request) =>
      inStore(request, (store) => grantAccess(store, request, identity), check(request.parameters, request.flow)),
    revokeBucketAccess: (request) => inStore(request, (store) => revokeAccess(store, request)),
    findOwned: (request) => inStore(request, (store) => findOwned(store, request, identity)),
    removeOwned: (request) => inStore(request, (store) => removeOwned(store, request.item, identity)),
  };
}

/** What is made depends on all parameters; what is taken away must go even where they are no longer right. */
export function inStoreOf(options: StoreOptions) {
  return <Outcome>(about: About, work: (store: Store) => Promise<Outcome>, problems: string[] = []) =>
    outcomeOf<Outcome | Failure>(async () => {
      if (problems.length > 0) throw invalid(problems.join('. '));
      return work(openStore(about, options));
    });
}
