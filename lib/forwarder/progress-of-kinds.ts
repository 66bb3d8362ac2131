import type { ResourceVersion } from '../kubernetes/brands.ts';
import type { Resource } from '../kubernetes/resource.ts';
import { groupOf } from '../kubernetes/resources.ts';
import type { Checkpoint } from './checkpoint.ts';
import { isAfter, Progress } from './progress.ts';

/** The progress of forwarding the changes of each kind, from the first list to the end. */
export class ProgressOfKinds {
  private readonly kinds: Map<string, Progress>;

  /** `since`: the checkpoint of the previous forwarder. */
  constructor(since: Checkpoint) {
    this.kinds = new Map(Object.entries(since).map(([kind, version]) => [kind, new Progress(version)]));
  }

  of(resource: Resource): Progress {
    const kind = nameOf(resource);
    const progress = this.kinds.get(kind) ?? new Progress(undefined);
    this.kinds.set(kind, progress);
    return progress;
  }

  /** A cluster that was restored from an older state is behind the version reached, which is then meaningless. */
  listedAt(resource: Resource, version: ResourceVersion): Progress {
    const { reached } = this.of(resource);
    if (reached !== undefined && isAfter(reached, version)) this.kinds.delete(nameOf(resource));
    return this.of(resource);
  }

  /** The time since which the oldest unfinished change has waited. */
  get openSinceMs(): number | undefined {
    const since = [...this.kinds.values()].flatMap(({ openSinceMs }) => openSinceMs ?? []);
    return since.length > 0 ? Math.min(...since) : undefined;
  }

  get checkpoint(): Checkpoint {
    const reached = [...this.kinds].map(([kind, { acknowledged }]) => [kind, acknowledged] as const);
    return Object.fromEntries(reached.filter((entry): entry is [string, ResourceVersion] => entry[1] !== undefined));
  }
}

function nameOf(resource: Resource): string {
  const group = groupOf(resource);
  return group ? `${resource.plural}.${group}` : resource.plural;
}
