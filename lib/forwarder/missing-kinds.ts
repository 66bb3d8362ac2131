import type { Api } from '../kubernetes/connection.ts';
import { currentVersion } from '../kubernetes/list.ts';
import type { Resource } from '../kubernetes/resource.ts';
import { asServed, type Discovered } from '../kubernetes/served.ts';
import { canWatch } from '../kubernetes/watch.ts';
import type { Log } from '../runtime/log.ts';

/** Kinds that the cluster does not serve, or does not allow reading. Each is logged once, and probed until it appears. */
export class MissingKinds {
  private readonly logged: Set<string>;
  private readonly kinds = new Set<Resource>();

  /** `logged` outlives a session, so that nothing is logged twice. */
  constructor(logged: Set<string>) {
    this.logged = logged;
  }

  add(resource: Resource, reason: string, log: Log, cluster: string): void {
    this.kinds.add(resource);
    if (this.logged.has(resource.kind)) return;
    this.logged.add(resource.kind);
    log.info('kind left out until the cluster serves it and lets it be read', { cluster, kind: resource.kind, reason });
  }

  get size(): number {
    return this.kinds.size;
  }

  /** The first kind that can be listed and watched now. */
  async findAppeared(api: Api, signal: AbortSignal): Promise<Resource | undefined> {
    const discovered: Discovered = new Map();
    for (const resource of this.kinds) {
      const served = await asServed(api, resource, discovered, signal);
      if (!served || !(await isReadable(api, served, signal))) continue;
      this.logged.delete(resource.kind);
      return resource;
    }
    return undefined;
  }
}

/** Probes in the same way in which the kind would be read: list and watch are separate permissions. */
async function isReadable(api: Api, served: Resource, signal: AbortSignal): Promise<boolean> {
  try {
    return await canWatch(api, served, { from: await currentVersion(api, served, signal), signal });
  } catch {
    return false;
  }
}
