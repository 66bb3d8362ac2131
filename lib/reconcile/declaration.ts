import type { Resource } from '../kubernetes/resource.ts';
import { groupOf } from '../kubernetes/resources.ts';
import type { Config } from '../runtime/config.ts';
import type { Step, World } from './step.ts';

/**
 * The facts about a function beside its code: its permissions in a cluster, and its description in the documents. Roles,
 * access to EKS and tables are generated from it by `npm run generate`. No entry point imports it, so no bundle
 * contains it.
 */
export interface Declaration {
  /** The name of the function, of its file in functions/, and of its service account. */
  name: string;
  /** Completes the sentence "What functions/<name> may do: …". */
  purpose: string;
  /** For the table of functions: the objects that its messages name, and its work on them. */
  key: string;
  does: string;
  /** Its step, for code that runs or checks all of them. */
  step?: Step<World>;
  /** For a step that is created from parts that only a deployment has, such as its drivers. */
  made?: MadeStep;
  /** True if it reads the ConfigMap by which an administrator turns capabilities off. */
  readsSettings?: true;
  /** Its permissions in every namespace, and on cluster-scoped objects. */
  permissions: readonly Permission[];
  /** Its permissions in Longshore's own namespace only. */
  ownPermissions?: { why: string; permissions: readonly Permission[] };
}

export interface MadeStep extends Pick<Step<World>, 'name' | 'resource'> {
  /** The meaning of an absent object for its message. */
  absentMeans: 'gone' | 'nothing';
  from: (settings: StepSettings) => Step<World>;
}

/** What only a deployment has. */
export type StepSettings = Pick<Config, 'drivers' | 'identity' | 'permissionsBoundary'>;

export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'write';

/** The same verbs on kinds of one group. */
export interface Permission {
  verbs: readonly Verb[];
  on: readonly PermissionOn[];
  /** Only the objects with these names. */
  names?: readonly string[];
  /** A comment in the manifest, for a permission that does not explain itself. */
  why?: string;
}

export interface PermissionOn {
  group: string;
  /** With its subresource, such as `buckets/status`. */
  plural: string;
}

/** The objects of a kind. */
export function objects(resource: Resource): PermissionOn {
  return { group: groupOf(resource), plural: resource.plural };
}

/** Their status. */
export function statusOf(resource: Resource): PermissionOn {
  return { group: groupOf(resource), plural: `${resource.plural}/status` };
}

/** The same verbs on many kinds, as one permission for each group. */
export function permissionsOn(resources: readonly Resource[], verbs: readonly Verb[]): Permission[] {
  const on = resources.map(objects).sort((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
  return [...Map.groupBy(on, ({ group }) => group).values()].map((each) => ({ verbs, on: each }));
}

function nameOf({ group, plural }: PermissionOn): string {
  return `${group} ${plural}`;
}
