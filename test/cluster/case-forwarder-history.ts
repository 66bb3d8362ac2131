import type { Key } from '../../lib/kubernetes/resources.ts';

/** One object that was made, from its creation until it vanished: another one of its name is another object. */
export interface Written {
  function: string;
  kind: string;
  key: Key;
  uid: string;
  /** Each version of it that the API server told of, oldest first. */
  versions: number[];
  /** Those of them that concern its key, so that each needs a message of this or of a later version. */
  concerning: number[];
}

/** A message that the queue took. */
export interface Arrived {
  type: 'arrived';
  /** Which process sent it. */
  sender: string;
  queue: string;
  groupId: string;
  body: string;
  /** The queue has had it in the last five minutes, and drops it. */
  isDuplicate: boolean;
}

/** What the Lease said from then on. */
export interface LeaseSeen {
  type: 'lease';
  checkpoint: Record<string, string>;
  transitions: number;
}

/** Everything that was seen, in the order in which it was: what an API server or a queue answered comes after it. */
export type History = (Arrived | LeaseSeen)[];
