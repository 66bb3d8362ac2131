import { createHash } from 'node:crypto';
import { isClusterError } from '../../lib/kubernetes/errors.ts';
import type { KubernetesEvent } from '../../lib/kubernetes/objects.ts';
import { nameOf, resources } from '../../lib/kubernetes/resources.ts';
import type { RestCluster } from '../../lib/kubernetes/rest-cluster.ts';
import type { Mirror } from './mirror.ts';
import type { Action, Disk } from './rules/rule.ts';

type Said = Extract<Action, { type: 'event' }>;

/** Carries out the actions of rules: in the cluster, and on the disks. */
export class Writer {
  private readonly cluster: RestCluster;
  private readonly mirror: Mirror;
  private readonly disks: ReadonlyMap<string, Disk>;

  constructor(cluster: RestCluster, mirror: Mirror, disks: ReadonlyMap<string, Disk>) {
    this.cluster = cluster;
    this.mirror = mirror;
    this.disks = disks;
  }

  async perform(action: Action): Promise<void> {
    if (action.type === 'event') return this.record(action);
    if (action.type === 'disk') {
      const disk = this.disks.get(action.driver);
      if (disk) action.operation(disk);
      return;
    }
    const { name } = action;
    if (action.type === 'create') return this.mirror.take(name.resource, await this.cluster.create(name, action.body));
    const { uid = '', resourceVersion = '' } = action.of.metadata;
    const preconditions = { uid, resourceVersion };
    if (action.type === 'delete') {
      const left = await this.cluster.delete(name, preconditions);
      if (left) this.mirror.take(name.resource, left);
      else this.mirror.drop(name.resource, action.of);
      return;
    }
    const options = { preconditions, ...(action.subresource ? { subresource: action.subresource } : {}) };
    this.mirror.take(name.resource, await this.cluster.patch(name, action.patch, options));
  }

  /** The same message about the same object is one Event, however often it is reported. */
  private async record(said: Said): Promise<void> {
    const event = eventOf(said);
    try {
      await this.cluster.create(nameOf(resources.event, event.metadata.namespace, event.metadata.name), event);
    } catch (error) {
      if (!isClusterError(error)) throw error;
    }
  }
}

export function eventOf(
  { about, kind: type, reason, note, by }: Said,
  now = new Date(),
): KubernetesEvent & { metadata: { namespace: string } } {
  const { name, namespace, uid, resourceVersion } = about.metadata;
  const words = createHash('sha256').update([uid, reason, note].join('\n')).digest('hex').slice(0, 16);
  const event = {
    apiVersion: resources.event.apiVersion,
    kind: resources.event.kind,
    metadata: { name: `${name}.${words}`, namespace: namespace ?? 'default' },
    regarding: { apiVersion: about.apiVersion, kind: about.kind, namespace, name, uid, resourceVersion },
    eventTime: now.toISOString().replace('Z', '000Z'),
    reportingController: by,
    reportingInstance: by,
    action: reason,
    ...{ type, reason, note: note.slice(0, 1024) },
  };
  return event;
}
