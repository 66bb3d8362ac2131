import type { CapabilityName } from '../capabilities/names.ts';

/** An object as it is written to a cluster: whole, and of any kind. */
export interface AnyObject {
  apiVersion: string;
  kind: string;
  metadata: {
    name: string;
    namespace?: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
    [field: string]: unknown;
  };
  [field: string]: unknown;
}

/**
 * What an object is for. `base`: kinds, policies and the namespace; `users`: rights of people; `run`: the identity of
 * `longshore run`; `functions`: those of the functions of a deployment; `grants`: a kind of others, where it is lacking.
 */
export const sets = ['base', 'users', 'run', 'functions', 'grants'] as const;
export type SetName = (typeof sets)[number];

/** An object that can be installed. */
export interface Installable {
  set: SetName;
  /** It is needed with any of these, and always if undefined. */
  capabilities?: readonly CapabilityName[];
  /** It is the one for exactly these capabilities. */
  exactly?: readonly CapabilityName[];
  object: AnyObject;
}
