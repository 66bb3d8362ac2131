import type { ClusterObject, ObjectMeta } from '../../../lib/kubernetes/objects.ts';
import type { Resource } from '../../../lib/kubernetes/resource.ts';
import type { Random } from '../random.ts';
import type { ApiServer } from './api-server.ts';
import { extra, finalizer, part, task } from './kinds.ts';
import type { World } from './world.ts';

const partNames = ['bolt', 'gear', 'spring'];
const taskNames = ['build', 'pack', 'ship'];
const extraNames = ['gift', 'note'];
const namespace = 'works';

/** People who make, change and delete objects. */
export class Users {
  private readonly world: World;
  private readonly server: ApiServer;
  private readonly random: Random;
  private objects = 0;

  constructor(world: World, server: ApiServer, random: Random) {
    this.world = world;
    this.server = server;
    this.random = random;
  }

  act(): void {
    if (!this.server.isUp) return;
    const choice = this.random.next();
    // One key is changed more often than all others.
    if (choice < 0.2) this.change(task, 'build');
    else if (choice < 0.4) this.change(task, this.random.pick(taskNames));
    else if (choice < 0.75) this.change(part, this.random.pick(partNames));
    else if (choice < 0.85) this.change(extra, this.random.pick(extraNames));
    else this.delete();
  }

  private change(resource: Resource, name: string): void {
    if (resource === extra && !this.server.servesExtras) return;
    const display = resource.namespaced ? `${namespace}/${name}` : name;
    const before = this.world.state.get(resource, display)?.object;
    const { apiVersion, kind } = resource;
    const metadata = before?.metadata ?? this.newMetadata(resource, name);
    const annotations = this.contentOf(resource);
    const object: ClusterObject = { apiVersion, kind, metadata: { ...metadata, annotations } };
    this.world.state.put(resource, object);
    this.world.tell(() => `user: ${kind} ${name} ${JSON.stringify(annotations)} at ${this.world.state.version}`);
  }

  /** What has our finalizer stays until whoever is told of it has taken that off. */
  private delete(): void {
    const all = [...this.world.state.objects.values()].filter(({ object }) => !object.metadata.deletionTimestamp);
    if (all.length === 0) return;
    const written = this.random.pick(all);
    const { resource, object } = written;
    if (object.metadata.finalizers) {
      const deletionTimestamp = '2026-11-19T00:00:00Z';
      this.world.state.put(resource, { ...object, metadata: { ...object.metadata, deletionTimestamp } });
    } else this.world.state.remove(written);
    this.world.tell(() => `user: delete ${resource.kind} ${object.metadata.name} at ${this.world.state.version}`);
  }

  private newMetadata(resource: Resource, name: string): ObjectMeta {
    this.objects += 1;
    const uid = `uid-${this.objects}`;
    const finalizers = this.random.chance(0.4) ? { finalizers: [finalizer] } : {};
    return { name, ...(resource.namespaced ? { namespace } : {}), uid, ...finalizers };
  }

  private contentOf(resource: Resource): Record<string, string> {
    const content = { content: String(this.random.below(1_000_000)) };
    const done: Record<string, string> = this.random.chance(0.15) ? { done: 'yes' } : {};
    if (resource === part) return { ...content, ...(this.random.chance(0.4) ? { kept: 'yes' } : {}) };
    if (resource === extra) return { ...content, ...done, for: `${namespace}/${this.random.pick(taskNames)}` };
    const needs = partNames.filter(() => this.random.chance(0.4)).join(' ');
    return { ...content, ...done, ...(needs ? { needs } : {}) };
  }
}
