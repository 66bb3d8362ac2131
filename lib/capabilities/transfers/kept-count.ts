import { isOf } from '../../kubernetes/of-kind.ts';
import { resources } from '../../kubernetes/resources.ts';
import type { Change } from '../../reconcile/routing.ts';
import { isMarkedKept } from './kept-label.ts';

/** Counts volumes, and those that wait for someone to decide. */
export class KeptCount {
  private readonly kept = new Set<string>();
  private all = 0;

  get volumes(): number {
    return this.all;
  }

  get keptVolumes(): number {
    return this.kept.size;
  }

  note(change: Change): void {
    if (!isOf(change, resources.volume)) return;
    const { type, object } = change;
    if (type === 'listed' || type === 'added') this.all += 1;
    if (type === 'deleted') this.all -= 1;
    const { name } = object.metadata;
    if (type !== 'deleted' && isMarkedKept(object)) this.kept.add(name);
    else this.kept.delete(name);
  }
}
