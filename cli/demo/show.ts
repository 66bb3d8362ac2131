import { resources } from '../../lib/kubernetes/resources.ts';
import type { ClusterApi } from '../connect/cluster-api.ts';
import { Interrupted } from '../interrupted.ts';
import { create } from '../objects/objects.ts';
import type { User } from '../objects/user.ts';
import type { Work } from '../objects/work.ts';
import { showBucket } from './buckets.ts';
import type { BoundVolume } from './claims.ts';
import { type Ending, endings, namespaceOf } from './names.ts';
import type { Part } from './permissions.ts';
import type { Plan, Preflight } from './preflight.ts';
import { Scene } from './scene.ts';
import { showSnapshot } from './snapshots.ts';
import { showHandOver, showMove } from './transfers.ts';

interface ShowOptions {
  id: string;
  plan: Plan;
  leftOut: Preflight['leftOut'];
  reach: readonly string[];
  timeoutMs: number;
  size: string;
}

/** How a part of the demo has ended. */
export interface PartResult {
  part: Part;
  result: 'done' | 'left out' | 'failed' | 'interrupted';
  seconds?: number;
  /** Why it was left out. */
  why?: string | undefined;
}

/** All parts of the demo in their order. */
export class Show {
  readonly parts: PartResult[] = [];
  /** The volume that the claim has had all the time. */
  volume: BoundVolume | undefined;
  private readonly user: User;
  private readonly options: ShowOptions;
  private readonly first: Work;
  private readonly second: Work;

  constructor(api: ClusterApi, user: User, options: ShowOptions) {
    const { id, reach } = options;
    const work = (ending: Ending): Work => ({ api, user, reach, namespace: namespaceOf(id, ending).metadata.name });
    this.user = user;
    this.options = options;
    [this.first, this.second] = [work('a'), work('b')];
  }

  async run(): Promise<void> {
    const { plan, size, timeoutMs } = this.options;
    const scene = new Scene({ first: this.first, second: this.second, plan, size, timeoutMs });
    for (const ending of endings) await this.createNamespace(scene, ending);
    await this.part('move', true, async () => {
      this.volume = await showMove(scene);
    });
    const { volume } = this;
    await this.part('hand-over', volume && plan.handsOver, () => showHandOver(scene, volume as BoundVolume));
    await this.part('snapshot', plan.snapshot, (use) => showSnapshot(scene, use, plan.handsOver));
    await this.part('bucket', plan.bucket, (use) => showBucket(scene, use));
  }

  private async createNamespace(scene: Scene, ending: Ending): Promise<void> {
    const wanted = namespaceOf(this.options.id, ending);
    const { name } = wanted.metadata;
    const made = await scene.kubectl(['create', 'namespace', name], () =>
      create(this.first, resources.namespace, wanted),
    );
    if (!made) throw new Error(`namespace ${name} exists already: try again`);
  }

  private async part<T>(part: Part, use: T | false | undefined, act: (use: T) => Promise<void>): Promise<void> {
    if (!use) {
      this.parts.push({ part, result: 'left out', why: this.options.leftOut[part] });
      return;
    }
    const startedMs = this.user.nowMs();
    const ended = (result: PartResult['result']) => {
      const seconds = Math.round((this.user.nowMs() - startedMs) / 100) / 10;
      this.parts.push({ part, result, seconds });
    };
    try {
      await act(use);
      ended('done');
    } catch (error) {
      ended(error instanceof Interrupted ? 'interrupted' : 'failed');
      throw error;
    }
  }
}
