import { createIn } from '../bucket/create.ts';
import { deleteIn } from '../bucket/delete.ts';
import type { Scene } from './scene.ts';
import type { BucketUse } from './uses.ts';

const name = 'photos';

/** A bucket is created, and deleted. */
export async function showBucket(scene: Scene, { className }: BucketUse): Promise<void> {
  const { second: work, timeoutMs } = scene;
  const { namespace } = work;
  scene.chapter('A bucket is created next to its workload, and deleted');
  const create = ['longshore', 'bucket', 'create', name, '--class', className, '-n', namespace, '--wait'];
  const wish = { name, className, secretName: `${name}-access` };
  await scene.types(create, () => createIn(work, wish, { class: className, wait: true, timeout: timeoutMs }));
  await scene.types(['longshore', 'bucket', 'delete', name, '-n', namespace, '--yes', '--wait'], () =>
    deleteIn(work, name, { yes: true, wait: true, timeout: timeoutMs }),
  );
}
