import type { ResourceVersion, Uid } from '../kubernetes/brands.ts';
import type { Resource } from '../kubernetes/resource.ts';
import type { Key } from '../kubernetes/resources.ts';

/** What made a message necessary: one version of one object. */
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
  /** On whose behalf a key without a namespace is told, as far as that is known: a namespace. */
  owner?: string | undefined;
  /** Given by a resync, a replay or a redrive, whose messages must not be taken for duplicates of the first ones. */
  runId?: string;
  /** Too many wait for the same: this key was not told of its last change at once. */
  isCrowded?: boolean;
}

export interface OutgoingMessage {
  function: string;
  body: string;
  groupId: string;
  deduplicationId: string;
}
