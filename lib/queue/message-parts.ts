import type { ResourceVersion, Uid } from '../kubernetes/brands.ts';
import type { Resource } from '../kubernetes/resource.ts';
import type { Key } from '../kubernetes/resources.ts';

/** The cause of a message: one version of one object. */
export interface Cause {
  uid: Uid;
  resourceVersion: ResourceVersion;
  type: 'add' | 'update' | 'delete';
}

export interface MessageParts {
  cluster: string;
  function: string;
  resource: Resource;
  key: Key;
  cause: Cause;
  time: Date;
  /** The namespace on whose behalf a message for a cluster-scoped key is sent, if known. */
  owner?: string | undefined;
  /** Set by a resync, a replay or a redrive, whose messages must not count as duplicates of the first ones. */
  runId?: string;
  /** Too many objects wait for the same change, so the message for this key was delayed. */
  isCrowded?: boolean;
}

export interface OutgoingMessage {
  function: string;
  body: string;
  groupId: string;
  deduplicationId: string;
}
