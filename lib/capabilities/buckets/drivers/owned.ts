import type { Memory } from '../../../runtime/memory/budget.ts';
import type { Driver, Failure, Parameters } from './driver.ts';

/** A driver that also tells what there is in a store: what nobody asks for any more is found in no other way. */
export interface SweepingDriver extends Driver {
  /** All that this deployment's driver has made in a store, and what of the expected is not there. */
  findOwned(request: FindOwnedRequest): Promise<FindOwnedOutcome>;
  /** Removes one thing that was found, if it still is what was found. A bucket goes only while there is nothing in it. */
  removeOwned(request: RemoveOwnedRequest): Promise<RemoveOwnedOutcome>;
}

/** Which store, and as whom. */
interface StoreRequest {
  parameters: Parameters;
  secrets: Parameters;
  /** After this moment, in milliseconds since 1970, the call starts nothing more. */
  deadline: number;
}

export interface FindOwnedRequest extends StoreRequest {
  expected: readonly Expected[];
  /** Of what whatever is kept takes its part; without it nothing is counted. */
  memory?: Memory;
  /** The clusters that there are, whose names not every store can keep as they are. */
  clusters: readonly string[];
}

/** What a consumer that has got all it asked for must have. */
export interface Expected {
  owner: string;
  bucket: string;
  parameters: Parameters;
}

export interface Owned {
  kind: 'bucket' | 'user' | 'role';
  name: string;
  owner: string;
  /** Undefined where it says none. */
  cluster: string | undefined;
  /** In milliseconds since 1970, as far as the store tells. */
  madeAt: number | undefined;
  /** A user's. */
  keys: readonly OwnedKey[];
}

export interface OwnedKey {
  id: string;
  madeAt: number | undefined;
}

export interface Lacking {
  owner: string;
  what: 'bucket' | 'credentials';
}

export type FindOwnedOutcome = { result: 'found'; items: readonly Owned[]; lacking: readonly Lacking[] } | Failure;

export interface RemoveOwnedRequest extends StoreRequest {
  item: Removable;
}

export type Removable =
  | { kind: 'bucket' | 'user' | 'role'; name: string; owner: string }
  | { kind: 'key'; name: string; owner: string; user: string };

export type RemoveOwnedOutcome =
  | { result: 'removed' }
  /** It is no longer what was found, or has something in it. */
  | { result: 'refused'; message: string }
  | Failure;
