import type { Tag } from '@aws-sdk/client-s3';
import { FakeStoreError, withoutBody } from './fake-store-error.ts';

export interface FakeVersion {
  key: string;
  id: string;
  isMarker: boolean;
}

export interface FakeBucket {
  name: string;
  region: string;
  /** The store has no clock: whoever cares says it. */
  madeAt?: Date | undefined;
  /** Another account's buckets refuse everything. */
  isAnotherAccounts: boolean;
  tags: Tag[];
  isVersioned: boolean;
  encryption?: string | undefined;
  expireDays?: number | undefined;
  blocksPublicAccess: boolean;
  /** Newest first. */
  versions: FakeVersion[];
  uploads: { key: string; id: string }[];
  /** Versions that a lock keeps from being deleted. */
  locked: Set<string>;
}

export function versionName(key = '', id = ''): string {
  return `${key}\n${id}`;
}

const nameRule = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

/** Buckets have one name in the world, and are reached through their own region alone. */
export class FakeBuckets {
  private readonly buckets = new Map<string, FakeBucket>();
  private readonly nextId: () => string;

  constructor(nextId: () => string) {
    this.nextId = nextId;
  }

  all(): FakeBucket[] {
    return [...this.buckets.values()];
  }

  peek(name: string): FakeBucket | undefined {
    return this.buckets.get(name);
  }

  create(name: string, region: string, constraint: string | undefined, tags: Tag[]): void {
    if (!nameRule.test(name) || name.includes('..')) throw new FakeStoreError(400, 'InvalidBucketName');
    if (constraint === 'us-east-1') throw new FakeStoreError(400, 'InvalidLocationConstraint');
    if (region !== 'us-east-1' && constraint !== region) {
      throw new FakeStoreError(400, 'IllegalLocationConstraintException');
    }
    const found = this.buckets.get(name);
    if (found?.isAnotherAccounts) throw new FakeStoreError(409, 'BucketAlreadyExists');
    // In the oldest region it succeeds again, and leaves the tags as they are.
    if (found?.region === 'us-east-1') return;
    if (found) throw new FakeStoreError(409, 'BucketAlreadyOwnedByYou');
    this.add(name, { region: constraint ?? region, tags });
  }

  add(name: string, also: Partial<FakeBucket> = {}): FakeBucket {
    const bucket: FakeBucket = {
      name,
      region: 'eu-central-1',
      isAnotherAccounts: false,
      tags: [],
      isVersioned: false,
      blocksPublicAccess: false,
      versions: [],
      uploads: [],
      locked: new Set(),
      ...also,
    };
    this.buckets.set(name, bucket);
    return bucket;
  }

  /** As a request that was sent to a region finds it. */
  reach(name: string | undefined, region: string, hasBody = true): FakeBucket {
    const bucket = this.buckets.get(name ?? '');
    if (!bucket) throw hasBody ? new FakeStoreError(404, 'NoSuchBucket') : withoutBody(404);
    if (bucket.isAnotherAccounts) throw hasBody ? new FakeStoreError(403, 'AccessDenied') : withoutBody(403);
    if (bucket.region !== region) throw hasBody ? new FakeStoreError(301, 'PermanentRedirect') : withoutBody(301);
    return bucket;
  }

  /** As a consumer does it. */
  put(name: string, key: string): void {
    const bucket = this.buckets.get(name);
    if (!bucket) throw new FakeStoreError(404, 'NoSuchBucket');
    if (!bucket.isVersioned) bucket.versions = bucket.versions.filter((version) => version.key !== key);
    bucket.versions.unshift({ key, id: bucket.isVersioned ? this.nextId() : 'null', isMarker: false });
  }

  /** Deletes without naming a version: where there are versions, that hides the object. */
  hide(name: string, key: string): void {
    const bucket = this.buckets.get(name);
    if (bucket?.isVersioned) bucket.versions.unshift({ key, id: this.nextId(), isMarker: true });
    else if (bucket) bucket.versions = bucket.versions.filter((version) => version.key !== key);
  }

  /** Removes versions for good, but for those that are locked, which it returns. */
  remove(bucket: FakeBucket, names: ReadonlySet<string>): FakeVersion[] {
    const isAsked = ({ key, id }: FakeVersion) => names.has(versionName(key, id));
    const kept = bucket.versions.filter((version) => isAsked(version) && bucket.locked.has(version.id));
    bucket.versions = bucket.versions.filter((version) => !isAsked(version) || kept.includes(version));
    return kept;
  }

  startUpload(name: string, key: string): void {
    this.buckets.get(name)?.uploads.push({ key, id: this.nextId() });
  }

  /** Unfinished uploads do not hinder, and go with it. */
  delete({ name, versions }: FakeBucket): void {
    if (versions.length > 0) throw new FakeStoreError(409, 'BucketNotEmpty');
    this.buckets.delete(name);
  }
}
