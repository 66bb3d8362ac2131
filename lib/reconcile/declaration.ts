import type { Resource } from '../kubernetes/resource.ts';
import { groupOf } from '../kubernetes/resources.ts';
import type { Config } from '../runtime/config.ts';
import type { Step, World } from './step.ts';

/**
 * What is known of a function beside its code: what it may do in a cluster, and what the documents say about it. Roles, access
 * to EKS and tables are generated from it by `npm run generate`. No entry point imports it, so that no bundle carries it.
 */
export interface Declaration {
  /** The name of the function, of its file in functions/, and of its service account. */
  name: string;
  /** Completes the sentence "What functions/<name> may do: …". */
  purpose: string;
  /** For the table of functions: what its messages name, and what it does with that. */
  key: string;
  does: string;
  /** Its step, for whoever runs or asks all of them. */
  step?: Step<World>;
  /** Where the step is made from what only a deployment has, such as its drivers. */
  made?: MadeStep;
  /** Whether it reads the ConfigMap by which an administrator turns capabilities off. */
  readsSettings?: true;
  /** What it may do in every namespace, and to what has none. */
  rights: readonly Right[];
  /** What it may do in the namespace of Longshore alone. */
  ownRights?: { why: string; rights: readonly Right[] };
}

export interface MadeStep extends Pick<Step<World>, 'name' | 'resource'> {
  /** What it means for a message that its object is not there. */
  absentMeans: 'gone' | 'nothing';
  from: (settings: StepSettings) => Step<World>;
}

/** What only a deployment has. */
export type StepSettings = Pick<Config, 'drivers' | 'identity' | 'permissionsBoundary'>;

export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'write';

/** The same verbs on kinds of one group. */
export interface Right {
  verbs: readonly Verb[];
  on: readonly RightOn[];
  /** Only the objects of these names. */
  names?: readonly string[];
  /** A comment in the manifest, for a right that does not explain itself. */
  why?: string;
}

export interface RightOn {
  group: string;
  /** With its subresource, such as `buckets/status`. */
  plural: string;
}

/** The objects of a kind. */
export function objects(resource: Resource): RightOn {
  return { group: groupOf(resource), plural: resource.plural };
}

/** Their status. */
export function statusOf(resource: Resource): RightOn {
  return { group: groupOf(resource), plural: `${resource.plural}/status` };
}

/** The same verbs on many kinds, which are one right for each group. */
export function rightsOn(resources: readonly Resource[], verbs: readonly Verb[]): Right[] {
  const on = resources.map(objects).sort((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
  return [...Map.groupBy(on, ({ group }) => group).values()].map((each) => ({ verbs, on: each }));
}

function nameOf({ group, plural }: RightOn): string {
  return `${group} ${plural}`;
}
