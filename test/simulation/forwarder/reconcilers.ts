import { displayName } from '../../../lib/kubernetes/resources.ts';
import type { Random } from '../random.ts';
import type { ApiServer } from './api-server.ts';
import type { Written } from './cluster-state.ts';
import { concernedBy } from './concerned.ts';
import type { Sending } from './fake-queues.ts';
import { finalizer, task } from './kinds.ts';
import type { Told } from './told.ts';
import type { World } from './world.ts';

interface Parts {
  world: World;
  server: ApiServer;
  told: Told;
  random: Random;
  /** Nothing may have to wait for it that a change could have told. */
  isResyncIgnored: boolean;
}

/** Who reconciles what the messages name: they read it as it is when they come to it. */
export class Reconcilers {
  private readonly parts: Parts;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  receive({ key, body }: Sending): boolean {
    const { world, server, told, isResyncIgnored } = this.parts;
    if (isResyncIgnored && body.runid?.startsWith('late')) return true;
    if (!server.isUp) return false;
    world.tell(() => `read: ${key} at ${world.state.version}`);
    told.see(key);
    for (const written of concernedBy(world.state, key)) this.reconcile(written);
    return true;
  }

  /** Takes the finalizer off what is being deleted, and is done with some of the rest. */
  private reconcile(written: Written): void {
    const { world, random } = this.parts;
    const { resource, object } = written;
    const { metadata } = object;
    if (metadata.deletionTimestamp) {
      if (metadata.finalizers?.includes(finalizer)) world.state.remove(written);
    } else if (resource === task && random.chance(0.1)) {
      world.tell(() => `done: ${displayName(metadata)}`);
      world.state.put(resource, {
        ...object,
        metadata: { ...metadata, annotations: { ...metadata.annotations, done: 'yes' } },
      });
    }
  }
}
