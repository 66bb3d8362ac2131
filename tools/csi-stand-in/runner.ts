import { isClusterError } from '../../lib/kubernetes/errors.ts';
import type { ClusterObject } from '../../lib/kubernetes/objects.ts';
import type { Resource } from '../../lib/kubernetes/resource.ts';
import { resources } from '../../lib/kubernetes/resources.ts';
import { type Content, contentResource, type Snapshot } from './kinds.ts';
import type { Change } from './mirror.ts';
import type { World } from './rules/rule.ts';
import type { Sidecar } from './rules/sidecars.ts';
import type { Writer } from './writer.ts';

/** After a conflict, the other write is visible here in a moment. */
const conflictMs = 15;
const maxPauseMs = 300_000;
const maxTurns = 30;

interface Task {
  readonly sidecar: Sidecar;
  readonly namespace: string | undefined;
  readonly name: string;
  isRunning: boolean;
  isWoken: boolean;
  failures: number;
  /** The time of the next attempt. */
  dueAt: number;
  timer?: NodeJS.Timeout;
}

/** Applies each sidecar's rule to each changed object, and retries failed steps with growing delays. */
export class Runner {
  private readonly sidecars: readonly Sidecar[];
  private readonly world: World;
  private readonly writer: Pick<Writer, 'perform'>;
  private readonly retryMs: number;
  private readonly log: (line: string) => void;
  private readonly tasks = new Map<string, Task>();
  private readonly running = new Set<Promise<void>>();
  private isStarted = false;
  private isStopped = false;

  constructor(
    sidecars: readonly Sidecar[],
    world: World,
    writer: Pick<Writer, 'perform'>,
    options: { retryMs: number; log: (line: string) => void },
  ) {
    this.sidecars = sidecars;
    this.world = world;
    this.writer = writer;
    this.retryMs = options.retryMs;
    this.log = options.log;
  }

  /** A snapshot and its content wait for each other; all other sidecars wait only for their own objects. */
  onChange(change: Change, resource: Resource, object: ClusterObject): void {
    if (resource.plural === contentResource.plural) {
      const { namespace, name } = (object as Content).spec.volumeSnapshotRef;
      if (name) this.wake(resources.snapshot, namespace, name);
    }
    if (resource.plural === resources.snapshot.plural && change === 'gone') {
      const content = (object as Snapshot).status?.boundVolumeSnapshotContentName;
      if (content) this.wake(contentResource, undefined, content);
    }
    this.wake(resource, object.metadata.namespace, object.metadata.name);
  }

  /** To be called once all objects are known: with half of them a sidecar would consider existing ones missing. */
  start(): void {
    this.isStarted = true;
    this.wakeAll();
  }

  /** Tasks that wait for a driver that failed, or hung, are retried at once. */
  wakeAll(): void {
    for (const task of this.tasks.values()) this.begin(task);
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    for (const { timer } of this.tasks.values()) clearTimeout(timer);
    await Promise.all(this.running);
  }

  private wake(resource: Resource, namespace: string | undefined, name: string): void {
    for (const sidecar of this.sidecars) {
      if (sidecar.resource.plural !== resource.plural) continue;
      const fresh = { sidecar, namespace, name, isRunning: false, isWoken: false, failures: 0, dueAt: 0 };
      const task = this.tasks.get(keyOf(fresh)) ?? fresh;
      this.tasks.set(keyOf(task), task);
      this.begin(task);
    }
  }

  private begin(task: Task): void {
    if (this.isStopped) return;
    task.isWoken = true;
    if (task.isRunning || !this.isStarted) return;
    task.isRunning = true;
    clearTimeout(task.timer);
    const run = this.runWhileWoken(task).finally(() => this.running.delete(run));
    this.running.add(run);
  }

  private async runWhileWoken(task: Task): Promise<void> {
    // All sidecars that are woken at the same time are woken before any of them runs.
    await Promise.resolve();
    while (task.isWoken && !this.isStopped) {
      task.isWoken = false;
      const pauseMs = await this.run(task).catch((error) => this.afterError(task, error));
      clearTimeout(task.timer);
      if (pauseMs !== undefined && !this.isStopped) task.timer = setTimeout(() => this.begin(task), pauseMs);
    }
    task.isRunning = false;
    if (this.world.get(task.sidecar.resource, task.namespace, task.name)) return;
    clearTimeout(task.timer);
    this.tasks.delete(keyOf(task));
  }

  /** Step after step, until there is nothing to do. Returns the delay after which to retry. */
  private async run(task: Task): Promise<number | undefined> {
    const { sidecar, namespace, name } = task;
    for (let turn = 0; turn < maxTurns && !this.isStopped; turn += 1) {
      const object = this.world.get(sidecar.resource, namespace, name);
      if (!object) return undefined;
      const { actions, again } = sidecar.next(this.world, object);
      for (const action of actions) await this.writer.perform(action);
      if (again) return this.nextPause(task);
      // Events alone change nothing that the rule would see.
      if (!actions.some(({ type }) => type !== 'event')) break;
    }
    task.failures = 0;
    task.dueAt = 0;
    return undefined;
  }

  /** A task woken early by a change keeps the rest of its delay: only a due attempt counts as another failure. */
  private nextPause(task: Task): number {
    const now = Date.now();
    if (now >= task.dueAt) {
      task.dueAt = now + Math.min(this.retryMs * 2 ** task.failures, maxPauseMs);
      task.failures += 1;
    }
    return task.dueAt - now;
  }

  private afterError(task: Task, error: unknown): number {
    if (isClusterError(error, 'conflict', 'gone', 'exists')) return conflictMs;
    this.log(`${task.sidecar.name}: ${error instanceof Error ? error.message : String(error)}`);
    return this.nextPause(task);
  }
}

function keyOf({ sidecar, namespace = '', name }: Task): string {
  return `${sidecar.name} ${namespace}/${name}`;
}
