import type { Uid } from '../../kubernetes/brands.ts';
import type { OwnerReference } from '../../kubernetes/objects.ts';
import { resources } from '../../kubernetes/resources.ts';

/** The Secrets that belong to contents and to Buckets, as far as the cluster shows Secrets. */
export class SecretIndex {
  /** Those that hold drivers' credentials. */
  private readonly sources = new Set<string>();
  /** Those beside Buckets, with the uids of the Buckets that they belong to. */
  private readonly copies = new Map<string, readonly Uid[]>();
  private areHidden = false;

  /** Secrets are not shown: what is known of them is what Buckets and contents report. */
  hide(): void {
    this.areHidden = true;
  }

  note(name: string, isThere: boolean, owners: readonly OwnerReference[] = []): void {
    this.sources.delete(name);
    this.copies.delete(name);
    if (!isThere) return;
    if (owners.some(({ kind }) => kind === resources.bucketContent.kind)) this.sources.add(name);
    const buckets = owners.filter(({ kind }) => kind === resources.bucket.kind).map(({ uid }) => uid);
    if (buckets.length > 0) this.copies.set(name, buckets);
  }

  mayBeSource(name: string): boolean {
    return this.areHidden || this.sources.has(name);
  }

  mayBeCopyFor(name: string, bucket: Uid): boolean {
    return this.areHidden || this.copies.get(name)?.includes(bucket) === true;
  }
}
