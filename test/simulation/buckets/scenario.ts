import type { Bucket, BucketClass } from '../../../lib/capabilities/buckets/objects.ts';
import type { Secret } from '../../../lib/kubernetes/objects.ts';
import type { Resource } from '../../../lib/kubernetes/resource.ts';
import { nameOf, resourceOfKind, resources } from '../../../lib/kubernetes/resources.ts';
import type { Scenario } from '../capability.ts';
import type { FakeCluster } from '../fake-cluster.ts';
import type { Random } from '../random.ts';
import { User } from '../user.ts';
import { Follower } from './follower.ts';
import type { GatedStore } from './gated-store.ts';
import {
  bucketOf,
  classLending,
  className,
  classOf,
  driverKeys,
  driverName,
  driverSecret,
  foreignSecret,
  forgedContent,
  givenCredentials,
  givenSecret,
  guests,
  hopelessClass,
  oldBucket,
  rightKey,
  secretName,
  settingsOff,
  strangersRegistration,
  system,
  team,
  theirs,
  type Wish,
  wishes,
} from './objects.ts';
import { addTheirs } from './others.ts';
import { Successor } from './successor.ts';
import type { UserAction } from './user-actions.ts';

/** Somebody else's finalizer. */
const held = 'example.com/hold';

/** A class, a Bucket or two of it, and whatever people do to them. */
export class BucketScenario implements Scenario {
  readonly wish: Wish;
  /** Somebody has taken off a Bucket's finalizer: then what is left in the store is for a person to decide. */
  wasForced = false;
  readonly follower: Follower;
  readonly successor: Successor;
  private readonly hasOwnKeys: boolean;
  private readonly cluster: FakeCluster;
  private readonly store: GatedStore;
  private readonly user: User;
  private readonly random: Random;

  constructor(cluster: FakeCluster, store: GatedStore, random: Random) {
    this.cluster = cluster;
    this.store = store;
    this.random = random;
    this.user = new User(cluster);
    this.wish = random.pick(wishes);
    this.hasOwnKeys = random.chance(0.3);
    cluster.namespaces.add(team, system, guests);
    this.follower = new Follower(cluster, store, this.user);
    this.successor = new Successor(cluster, this.user);
    this.user.create(givenCredentials());
    this.user.create(driverKeys(rightKey));
    addTheirs(store);
    store.store.addBucket(oldBucket, { region: 'eu-central-1' });
    store.store.put(oldBucket, 'report');
  }

  course(): [UserAction, number][] {
    const course: [UserAction, number][] = [
      ['make class', 60],
      ['make bucket', 60],
      ['write objects', 200],
    ];
    if (this.random.chance(0.6)) course.push(['delete bucket', 210]);
    return course;
  }

  act(action: UserAction): void {
    this.acts[action]();
  }

  private readonly acts: Record<UserAction, () => void> = {
    'make class': () => this.user.create(classOf(this.wish, this.hasOwnKeys)),
    'delete class': () => this.user.delete(resources.bucketClass, undefined, className),
    'make bucket': () => this.user.create(bucketOf('photos')),
    'delete bucket': () => this.user.delete(resources.bucket, team, 'photos'),
    'make second bucket': () => this.user.create(bucketOf('music')),
    'delete second bucket': () => this.user.delete(resources.bucket, team, 'music'),
    'take secret name': () => this.user.create(foreignSecret(team, secretName)),
    'free secret name': () => this.freeSecretName(),
    'delete secret': () => this.user.delete(resources.secret, team, secretName),
    'edit secret': () => this.change(secretName, { data: { BUCKET_NAME: 'bm9uZQ==', more: 'bW9yZQ==' } }),
    'disown secret': () => this.change(secretName, { metadata: { ownerReferences: null } }),
    'delete source secret': () => this.deleteSourceSecret(),
    'delete content': () => this.deleteContent(),
    'strip bucket': () => this.stripBucket(),
    'delete registration': () => this.user.delete(resources.registration, undefined, driverName),
    'stranger registers': () => this.user.create(strangersRegistration()),
    'write objects': () => this.writeObjects(),
    'store down': () => this.turnStore(true),
    'store up': () => this.turnStore(false),
    'make hopeless bucket': () => this.make(hopelessClass, bucketOf('hopeless', team, 'hopeless')),
    'delete hopeless bucket': () => this.user.delete(resources.bucket, team, 'hopeless'),
    'lend bucket': () => this.lendBucket(),
    'end lending': () => this.user.delete(resources.bucket, guests, 'guest'),
    'claim theirs': () => this.make(classLending(theirs.bucket), bucketOf('guest', guests, 'lent')),
    'forge content': () => this.forgeContent(),
    'cut source secret': () => this.cutSourceSecret(),
    'spoil driver secret': () => this.changeDriverSecret('spoiled-key'),
    'mend driver secret': () => this.changeDriverSecret(rightKey),
    'namespace changes hands': () => this.successor.wait(),
    'hold things': () => this.holdThings([held]),
    'follow messages': () => this.follower.act(),
    'buckets off': () => this.user.create(settingsOff()),
    'buckets on': () => this.user.delete(resources.configMap, system, 'longshore'),
  };

  /** The class is there, nobody else has the names, and the store is up. */
  liftObstacles(): void {
    this.turnStore(false);
    this.changeDriverSecret(rightKey);
    this.holdThings([]);
    this.user.change(resources.bucketContent, undefined, 'forged', { metadata: { finalizers: null } });
    this.user.delete(resources.bucket, team, 'hopeless');
    // Who uses what was made for another goes on with it; who cannot have it gives up.
    if (!this.isGuestServed) this.user.delete(resources.bucket, guests, 'guest');
    this.mendSourceSecrets();
    this.freeSecretName();
    this.user.delete(resources.configMap, system, 'longshore');
    const registration = this.cluster.read(nameOf(resources.registration, undefined, driverName));
    if (registration) this.user.delete(resources.registration, undefined, driverName);
    this.user.create(classOf(this.wish, this.hasOwnKeys));
  }

  get isGuestServed(): boolean {
    const contents = this.cluster.all(resources.bucketContent);
    const { phase } = contents.find(({ spec }) => spec.bucketRef.name === 'guest')?.status ?? {};
    return phase === 'Ready' || phase === 'Bound';
  }

  private turnStore(isDown: boolean): void {
    this.store.isDown = isDown;
  }

  private change(name: string, body: object): void {
    const secret = this.cluster.read(nameOf(resources.secret, team, name));
    // Only what was made for the Bucket; what somebody else made is not touched.
    if (secret?.data?.mine === undefined) this.user.change(resources.secret, team, name, body);
  }

  private freeSecretName(): void {
    const secret = this.cluster.read(nameOf(resources.secret, team, secretName));
    if (secret?.data?.mine !== undefined) this.user.delete(resources.secret, team, secretName);
  }

  private deleteSourceSecret(): void {
    const [ours] = this.sourceSecrets;
    if (ours) this.user.delete(resources.secret, system, ours.metadata.name);
  }

  private get sourceSecrets(): Secret[] {
    const all = this.cluster.all(resources.secret, system);
    return all.filter(({ metadata }) => metadata.name !== givenSecret && metadata.name !== driverSecret);
  }

  private cutSourceSecret(): void {
    const ours = this.sourceSecrets.find(({ data }) => data?.AWS_SECRET_ACCESS_KEY);
    const body = { data: { AWS_SECRET_ACCESS_KEY: null } };
    if (ours) this.user.change(resources.secret, system, ours.metadata.name, body);
  }

  /** Whoever has lost a key of a driver's Secret can have others made. */
  private mendSourceSecrets(): void {
    for (const { data = {}, metadata } of this.sourceSecrets) {
      const isCut = Object.keys(data).length > 0 && !data.AWS_SECRET_ACCESS_KEY;
      if (isCut) this.user.delete(resources.secret, system, metadata.name);
    }
  }

  private changeDriverSecret(key: string): void {
    this.user.change(resources.secret, system, driverSecret, { data: driverKeys(key).data });
  }

  private make(bucketClass: BucketClass, bucket: Bucket): void {
    this.user.create(bucketClass);
    this.user.create(bucket);
  }

  /** Somebody else may use what was made for a Bucket. */
  private lendBucket(): void {
    const contents = this.cluster.all(resources.bucketContent);
    const owner = contents.find(({ spec, metadata }) => spec.flow === 'Greenfield' && metadata.name !== 'forged');
    const { bucketIdentifier } = owner?.spec ?? {};
    if (bucketIdentifier) this.make(classLending(bucketIdentifier), bucketOf('guest', guests, 'lent'));
  }

  private forgeContent(): void {
    this.user.create(forgedContent());
    const name = nameOf(resources.bucketContent, undefined, 'forged');
    if (!this.cluster.read(name)) return;
    this.cluster.update(name, { status: { startedAt: this.cluster.now().toISOString() } }, undefined, 'status');
    this.user.delete(resources.bucketContent, undefined, 'forged');
  }

  /** Others' finalizers, beside ours, on whatever there is. */
  private holdThings(wanted: string[]): void {
    const kinds: Resource[] = [resources.bucket, resources.bucketContent, resources.secret];
    for (const { apiVersion, kind, metadata } of kinds.flatMap((resource) => this.cluster.all(resource))) {
      const { namespace, name, finalizers = [], deletionTimestamp } = metadata;
      // Nothing can be added to what is being deleted, and nothing taken off what is not held.
      const isLeft = wanted.length > 0 ? deletionTimestamp !== undefined : !finalizers.includes(held);
      if (isLeft) continue;
      const resource = resourceOfKind(apiVersion, kind);
      const others = finalizers.filter((each) => each !== held);
      if (resource) this.user.change(resource, namespace, name, { metadata: { finalizers: [...others, ...wanted] } });
    }
  }

  private deleteContent(): void {
    const [content] = this.cluster.all(resources.bucketContent);
    if (content) this.user.delete(resources.bucketContent, undefined, content.metadata.name);
  }

  private stripBucket(): void {
    const bucket = this.cluster.read(nameOf(resources.bucket, team, 'photos'));
    if (!bucket?.metadata.finalizers?.length) return;
    this.wasForced = true;
    this.user.change(resources.bucket, team, 'photos', { metadata: { finalizers: null } });
  }

  private writeObjects(): void {
    for (const { name } of this.store.store.buckets) this.store.store.put(name, `object-${this.random.below(9)}`);
  }
}
