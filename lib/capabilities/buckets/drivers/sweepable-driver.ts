import type { Memory } from '../../../runtime/memory/budget.ts';
import type { Driver, Failure, Parameters } from './driver.ts';

/** A driver that also lists a store's resources: the only way to find those that nothing refers to. */
export interface SweepableDriver extends Driver {
  /** Everything that this deployment's driver created in a store, and which expected resources are missing. */
  findOwned(request: FindOwnedRequest): Promise<FindOwnedOutcome>;
  /** Removes one found resource, if it is still the same. A bucket is only removed while it is empty. */
  removeOwned(request: RemoveOwnedRequest): Promise<RemoveOwnedOutcome>;
}

/** The store, and the credentials to use. */
interface StoreRequest {
  parameters: Parameters;
  secrets: Parameters;
  /** After this time, in milliseconds since 1970, the call starts nothing more. */
  deadline: number;
}

export interface FindOwnedRequest extends StoreRequest {
  expected: readonly ExpectedResource[];
  /** Memory for what is kept; without it nothing is counted. */
  memory?: Memory;
  /** The configured clusters, as tags cannot hold every name unchanged. */
  clusters: readonly string[];
}

/** The resources of a consumer whose request is complete. */
export interface ExpectedResource {
  owner: string;
  bucket: string;
  parameters: Parameters;
}

/** The kinds of resources that a sweep looks for. */
export type OwnedKind = 'bucket' | 'user' | 'role';

export interface OwnedResource {
  kind: OwnedKind;
  name: string;
  owner: string;
  /** Undefined without a cluster tag. */
  cluster: string | undefined;
  /** In milliseconds since 1970, if the store reports it. */
  madeAt: number | undefined;
  /** Only of a user. */
  keys: readonly OwnedKey[];
}

export interface OwnedKey {
  id: string;
  madeAt: number | undefined;
}

export interface MissingResource {
  owner: string;
  what: 'bucket' | 'credentials';
}

export type FindOwnedOutcome =
  | { result: 'found'; items: readonly OwnedResource[]; lacking: readonly MissingResource[] }
  | Failure;

export interface RemoveOwnedRequest extends StoreRequest {
  item: RemovableResource;
}

export type RemovableResource =
  | { kind: OwnedKind; name: string; owner: string }
  | { kind: 'key'; name: string; owner: string; user: string };

export type RemoveOwnedOutcome =
  | { result: 'removed' }
  /** It is no longer the found resource, or is not empty. */
  | { result: 'refused'; message: string }
  | Failure;
