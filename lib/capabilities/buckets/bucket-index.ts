import type { OwnerReference } from '../../kubernetes/objects.ts';
import { isOf } from '../../kubernetes/of-kind.ts';
import { displayName, resources } from '../../kubernetes/resources.ts';
import { NameSets } from '../../reconcile/name-sets.ts';
import type { Change } from '../../reconcile/routing.ts';
import { DriverIndex } from './driver-index.ts';
import { type IndexedBucket, type IndexedContent, indexedBucket, indexedContent } from './indexed.ts';
import type { Bucket, BucketContent } from './objects.ts';
import { SecretIndex } from './secret-index.ts';

/**
 * The existing Buckets and contents, and the objects that they wait for, by name. It remembers the previous state of
 * each.
 */
export class BucketIndex {
  readonly secrets = new SecretIndex();
  readonly drivers = new DriverIndex();
  private readonly buckets = new Map<string, IndexedBucket>();
  private readonly contents = new Map<string, IndexedContent>();
  private readonly bySecret = new NameSets();
  private readonly byClass = new NameSets();
  private readonly byProvisioner = new NameSets();
  private readonly bySource = new NameSets();
  private readonly byIdentifier = new NameSets();
  private readonly byDriverSecret = new NameSets();
  /** Contents by the uids of their Buckets: another Bucket of the same name has another content. */
  private readonly byBucket = new Map<string, string>();
  private bucketBefore: IndexedBucket | undefined;
  private contentBefore: IndexedContent | undefined;

  note(change: Change): void {
    const { metadata } = change.object;
    const name = displayName(metadata);
    const isThere = change.type !== 'deleted';
    if (isOf(change, resources.bucket)) this.noteBucket(name, isThere ? change.object : undefined);
    if (isOf(change, resources.bucketContent)) this.noteContent(name, isThere ? change.object : undefined);
    if (isOf(change, resources.secret)) this.secrets.note(name, isThere, metadata.ownerReferences);
    this.drivers.note(change);
  }

  /** True if the Bucket that was noted last has changed in a way that matters to its binding. */
  hasBucketChanged(name: string): boolean {
    const [before, after] = [this.bucketBefore, this.buckets.get(name)];
    // Longshore adds the finalizer itself; only others remove it.
    return before?.signature !== after?.signature || (before?.isHeld === true && after?.isHeld === false);
  }

  lacksSource(bucket: string): boolean {
    return this.buckets.get(bucket)?.lacksSource ?? false;
  }

  /** The content that was noted last, before and after the change. */
  contentChange(name: string): { before: IndexedContent | undefined; after: IndexedContent | undefined } {
    return { before: this.contentBefore, after: this.contents.get(name) };
  }

  hasCredentials(bucket: string): boolean {
    return this.contentFor(bucket)?.hasCredentials ?? false;
  }

  bucket(name: string): IndexedBucket | undefined {
    return this.buckets.get(name);
  }

  content(name: string): IndexedContent | undefined {
    return this.contents.get(name);
  }

  contentOfBucket(bucket: string): string | undefined {
    return this.byBucket.get(this.buckets.get(bucket)?.uid ?? '');
  }

  isBucketAtRest(bucket: string): boolean {
    const { isBound, isReady, isHeld, isGoing } = this.buckets.get(bucket) ?? {};
    const isOver = isBound === true && isReady === true && isHeld === true && isGoing === false;
    return isOver && this.contentFor(bucket)?.isBound === true;
  }

  /** True if the Bucket reports its Secret, and the Secret is there and the Bucket's, as far as Secrets are shown. */
  isCopied(bucket: string): boolean {
    const { isCopied, secret = '', uid = '' } = this.buckets.get(bucket) ?? {};
    return isCopied === true && this.secrets.mayBeCopyFor(secret, uid);
  }

  /** True if there is nothing to do for it: its credentials exist, and so does the Bucket that is bound to it. */
  isContentAtRest(content: string): boolean {
    const { isBound, provisioner, secret = '', bucket = '', bucketUid } = this.contents.get(content) ?? {};
    const hasSource = provisioner === undefined || this.secrets.mayBeSource(secret);
    return isBound === true && hasSource && this.buckets.get(bucket)?.uid === bucketUid;
  }

  /** The Buckets whose Secret has this name, and whose credentials belong there. */
  bucketsWithSecret(secret: string): string[] {
    return this.bySecret.of(secret).filter((bucket) => this.hasCredentials(bucket));
  }

  /** The Buckets whose credentials come from this Secret. */
  bucketsFedBy(secret: string): string[] {
    return this.bySource.of(secret).filter((bucket) => this.hasCredentials(bucket));
  }

  contentsOwning(owners: readonly OwnerReference[] = []): string[] {
    return owners
      .filter(({ kind, name, uid }) => kind === resources.bucketContent.kind && this.contents.get(name)?.uid === uid)
      .map(({ name }) => name);
  }

  /** The content of the Bucket that was noted last, which may be gone. */
  contentOfNoted(bucket: string): string | undefined {
    return this.byBucket.get((this.buckets.get(bucket) ?? this.bucketBefore)?.uid ?? '');
  }

  /** The Bucket of a content that was noted last, which may be gone; another one of its name has another uid. */
  bucketOfNoted(content: string): string | undefined {
    const { bucket = '', bucketUid } = this.contents.get(content) ?? this.contentBefore ?? {};
    return this.buckets.get(bucket)?.uid === bucketUid ? bucket : undefined;
  }

  /** All Buckets that a Secret concerns, by its name. */
  bucketsAt(secret: string): string[] {
    return [...this.bySecret.of(secret), ...this.bySource.of(secret)];
  }

  unboundOfClass(bucketClass: string): string[] {
    return this.byClass.of(bucketClass).filter((bucket) => this.buckets.get(bucket)?.isBound === false);
  }

  /** The contents that may wait for this driver. */
  unfinishedOf(provisioner: string): string[] {
    return this.byProvisioner.of(provisioner).filter((content) => !this.isContentAtRest(content));
  }

  /** The contents that may wait for this one to release the bucket that they share. */
  namesakesOf(content: string, identifier: string | undefined): string[] {
    const others = this.byIdentifier.of(identifier ?? '').filter((each) => each !== content);
    return others.filter((each) => !this.isContentAtRest(each));
  }

  /** The contents that may wait for this Secret of the administrator; first those that are being deleted. */
  unfinishedBy(driverSecret: string): string[] {
    const waiting = this.byDriverSecret.of(driverSecret).filter((content) => !this.isContentAtRest(content));
    return waiting.toSorted((one, other) => Number(this.isGoing(other)) - Number(this.isGoing(one)));
  }

  private isGoing(content: string): boolean {
    return this.contents.get(content)?.isGoing ?? false;
  }

  private contentFor(bucket: string): IndexedContent | undefined {
    return this.contents.get(this.contentOfBucket(bucket) ?? '');
  }

  private noteBucket(name: string, bucket: Bucket | undefined): void {
    const before = this.buckets.get(name);
    this.bucketBefore = before;
    if (before) {
      this.bySecret.delete(before.secret, name);
      this.byClass.delete(before.bucketClass, name);
      this.buckets.delete(name);
    }
    if (!bucket) return;
    const after = indexedBucket(bucket);
    this.buckets.set(name, after);
    this.bySecret.add(after.secret, name);
    this.byClass.add(after.bucketClass, name);
  }

  private noteContent(name: string, content: BucketContent | undefined): void {
    const before = this.contents.get(name);
    this.contentBefore = before;
    if (before) {
      this.byBucket.delete(before.bucketUid);
      this.byProvisioner.delete(before.provisioner ?? '', name);
      this.bySource.delete(before.secret ?? '', before.bucket);
      this.byIdentifier.delete(before.identifier ?? '', name);
      this.byDriverSecret.delete(before.driverSecret ?? '', name);
      this.contents.delete(name);
    }
    if (!content) return;
    const after = indexedContent(content);
    this.contents.set(name, after);
    this.byBucket.set(after.bucketUid, name);
    this.byProvisioner.add(after.provisioner ?? '', name);
    if (after.secret) this.bySource.add(after.secret, after.bucket);
    if (after.driverSecret) this.byDriverSecret.add(after.driverSecret, name);
    if (after.identifier) this.byIdentifier.add(after.identifier, name);
  }
}
