import type { Bucket, BucketContent } from '../../../lib/buckets/objects.ts';
import type { Secret } from '../../../lib/cluster/objects.ts';
import { nameOf, resources } from '../../../lib/cluster/resources.ts';
import type { Scenario } from '../capability.ts';
import type { FakeCluster } from '../fake-cluster.ts';
import type { Random } from '../random.ts';
import { User } from '../user.ts';
import type { GatedStore } from './gated-store.ts';
import {
  bucketOf,
  className,
  classOf,
  driverName,
  foreignSecret,
  givenCredentials,
  givenSecret,
  oldBucket,
  secretName,
  settingsOff,
  strangersRegistration,
  system,
  team,
  type Wish,
  wishes,
} from './objects.ts';
import type { UserAction } from './user-actions.ts';

/** A class, a Bucket or two of it, and whatever people do to them. */
export class BucketScenario implements Scenario {
  readonly wish: Wish;
  /** Somebody has taken off a Bucket's finalizer: then what is left in the store is for a person to decide. */
  wasForced = false;
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
    for (const namespace of [team, system]) cluster.namespaces.add(namespace);
    this.user.create(givenCredentials());
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
    'make class': () => this.user.create(classOf(this.wish)),
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
    'buckets off': () => this.user.create(settingsOff()),
    'buckets on': () => this.user.delete(resources.configMap, system, 'longshore'),
  };

  /** The class is there, nobody else has the names, and the store is up. */
  liftObstacles(): void {
    this.turnStore(false);
    this.freeSecretName();
    this.user.delete(resources.configMap, system, 'longshore');
    const registration = this.cluster.read(nameOf(resources.registration, undefined, driverName));
    if (registration) this.user.delete(resources.registration, undefined, driverName);
    this.user.create(classOf(this.wish));
  }

  private turnStore(isDown: boolean): void {
    this.store.isDown = isDown;
  }

  private change(name: string, body: object): void {
    const secret = this.cluster.read<Secret>(nameOf(resources.secret, team, name));
    // Only what was made for the Bucket; what somebody else made is not touched.
    if (secret?.data?.mine === undefined) this.user.change(resources.secret, team, name, body);
  }

  private freeSecretName(): void {
    const secret = this.cluster.read<Secret>(nameOf(resources.secret, team, secretName));
    if (secret?.data?.mine !== undefined) this.user.delete(resources.secret, team, secretName);
  }

  private deleteSourceSecret(): void {
    const ours = this.cluster
      .all<Secret>(resources.secret, system)
      .find(({ metadata }) => metadata.name !== givenSecret);
    if (ours) this.user.delete(resources.secret, system, ours.metadata.name);
  }

  private deleteContent(): void {
    const [content] = this.cluster.all<BucketContent>(resources.bucketContent);
    if (content) this.user.delete(resources.bucketContent, undefined, content.metadata.name);
  }

  private stripBucket(): void {
    const bucket = this.cluster.read<Bucket>(nameOf(resources.bucket, team, 'photos'));
    if (!bucket?.metadata.finalizers?.length) return;
    this.wasForced = true;
    this.user.change(resources.bucket, team, 'photos', { metadata: { finalizers: null } });
  }

  private writeObjects(): void {
    for (const { name } of this.store.store.buckets) this.store.store.put(name, `object-${this.random.below(9)}`);
  }
}
