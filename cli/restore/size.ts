import type { VolumeSnapshot } from '../../lib/capabilities/data-sources/objects.ts';
import type { Claim } from '../../lib/kubernetes/objects.ts';
import { amountOf } from '../../lib/kubernetes/quantity.ts';
import { collectionPath, resources } from '../../lib/kubernetes/resources.ts';
import { ifAllowed } from '../objects/refusals.ts';
import type { Work } from '../objects/work.ts';
import { UsageError } from '../parse/usage-error.ts';
import type { Restore } from './restore-objects.ts';

/** What is wanted, before it is known how large it must be. */
export type Wanted = Omit<Restore, 'size'> & { size?: string | undefined };

/** What was typed, what the claim has that is there already, or what the snapshot needs, if that may be read. */
export async function sizeFor({ api }: Work, wanted: Wanted, before: Claim | undefined): Promise<string> {
  const { from, snapshot, size } = wanted;
  if (size !== undefined) return size;
  const existing = before?.spec.resources?.requests?.storage;
  if (existing !== undefined) return existing;
  const path = `${collectionPath(resources.snapshot, from)}/${snapshot}`;
  const found = await ifAllowed(() => api.get<VolumeSnapshot>(path));
  const { restoreSize } = found?.status ?? {};
  if (restoreSize !== undefined && (amountOf(restoreSize) ?? 0) > 0) return restoreSize;
  throw new UsageError(
    `the size of VolumeSnapshot ${from}/${snapshot} is not known: it does not exist or is not ready yet, or you may not read it. Give the size with --size`,
  );
}
