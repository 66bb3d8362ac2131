import { isCopy } from '../../../lib/capabilities/data-sources/names.ts';
import { confirmationAnnotation } from '../../../lib/kubernetes/namespace-consent.ts';
import type { ClusterObject } from '../../../lib/kubernetes/objects.ts';
import { resources } from '../../../lib/kubernetes/resources.ts';
import { emptyClaim, provisionedClass, snapshotClass } from '../../../tools/csi-stand-in/objects.ts';
import { nameOfObject } from '../../../tools/csi-stand-in/rules/actions.ts';
import type { Scenario } from '../capability.ts';
import type { FakeCluster } from '../fake-cluster.ts';
import type { Random } from '../random.ts';
import type { FakeCsiDriver } from './fake-csi-driver.ts';
import { Followers } from './followers.ts';
import { NamespacesRemade } from './namespaces-remade.ts';
import {
  claimInSource,
  className,
  driverName,
  grantOf,
  linkName,
  linkTo,
  type Manner,
  manners,
  namespaceOf,
  place,
  settingsOff,
  snapshots,
  sourceName,
  wantingClaim,
} from './objects.ts';
import type { UserAction } from './user-actions.ts';
import { Users } from './users.ts';

const [wanted, other] = snapshots;

/** A claim with data and snapshots of it, and claims in another namespace that want that data. */
export class DataSourceScenario implements Scenario {
  readonly manner: Manner;
  readonly policy: 'Delete' | 'Retain';
  readonly users: Users;
  readonly waitsForConsumer: boolean;
  /** Pods use the claims that want data. */
  isConsumed = false;
  private readonly cluster: FakeCluster;
  private readonly remade: NamespacesRemade;
  private readonly followers: Followers;
  private readonly hasPolicies: boolean;
  private readonly random: Random;

  constructor(cluster: FakeCluster, csi: FakeCsiDriver, random: Random) {
    this.random = random;
    this.cluster = cluster;
    this.remade = new NamespacesRemade(cluster);
    this.followers = new Followers(cluster);
    this.users = new Users(cluster, csi, random);
    this.manner = random.pick(manners);
    this.policy = random.chance(0.5) ? 'Delete' : 'Retain';
    this.waitsForConsumer = random.chance(0.4);
    this.hasPolicies = random.chance(0.7);
    cluster.namespaces.add(...Object.values(place), 'default');
    for (const each of this.classes()) cluster.create(nameOfObject(each), each).catch(() => {});
    this.users.create(emptyClaim({ namespace: place.source, name: sourceName, className }));
  }

  private classes(): ClusterObject[] {
    const of = { name: className, driver: driverName };
    const binding = this.waitsForConsumer ? 'WaitForFirstConsumer' : 'Immediate';
    const kept = this.random.chance(0.7) ? 'Delete' : 'Retain';
    return [provisionedClass({ ...of, policy: this.policy, binding }), snapshotClass({ ...of, policy: kept })];
  }

  /** What the claims want is there from the beginning as a rule. */
  takeFirstSnapshots(settle: () => void): void {
    settle();
    this.users.writeSource();
    if (this.random.chance(0.2)) return;
    for (const name of snapshots) {
      this.users.takeSnapshot(name);
      settle();
    }
  }

  course(): [UserAction, number][] {
    const course: [UserAction, number][] = [
      ['make claim', 40],
      ['link', 60],
      ['grant', 60],
      ['make snapshot', 60],
      ['use claim', 60],
    ];
    if (this.random.chance(0.3)) course.push(['delete claim', 200], ['make claim', 210]);
    if (this.random.chance(0.2)) course.push(['make second claim', 100]);
    return course;
  }

  act(action: UserAction): void {
    this.acts[action](this.users);
  }

  private readonly acts: Record<UserAction, (users: Users) => void> = {
    'make claim': (users) => users.create(this.claim('restored')),
    'delete claim': (users) => users.delete(resources.claim, namespaceOf(this.manner), 'restored'),
    'make second claim': (users) => users.create(this.claim('second')),
    'delete second claim': (users) => users.delete(resources.claim, namespaceOf(this.manner), 'second'),
    'make other claim': (users) => users.create(emptyClaim({ namespace: place.target, name: 'empty', className })),
    'make restore': (users) => users.create(claimInSource('local', resources.snapshot, wanted)),
    'make clone': (users) => users.create(claimInSource('clone', resources.claim, sourceName)),
    link: (users) => users.create(linkTo(this.manner, wanted)),
    'delete link': (users) => users.delete(resources.snapshotLink, namespaceOf(this.manner), linkName),
    'link other snapshot': (users) => {
      users.delete(resources.snapshotLink, namespaceOf(this.manner), linkName);
      users.create(linkTo(this.manner, other));
    },
    grant: (users) => users.create(grantOf('wanted', wanted)),
    'revoke grant': (users) => users.delete(resources.referenceGrant, place.source, 'wanted'),
    'revoke grant late': () => {
      this.isRevoking = true;
    },
    'grant other snapshot': (users) => this.changeGrant(users, other),
    'grant other namespace': (users) => this.changeGrant(users, wanted, 'elsewhere'),
    'make snapshot': (users) => {
      for (const name of snapshots) users.takeSnapshot(name);
    },
    'delete snapshot': (users) => users.giveUpSnapshot(wanted),
    'replace snapshot': (users) => {
      users.giveUpSnapshot(wanted);
      this.isReplacing = true;
    },
    'delete source': (users) => users.giveUpSource(),
    'use claim': () => {
      this.isConsumed = true;
    },
    'withdraw node': (users) => users.withdrawNode(),
    'delete prime': (users) => users.deleteCopy(resources.claim),
    'delete snapshot copy': (users) => users.deleteCopy(resources.snapshot),
    'delete content copy': (users) => users.deleteCopy(resources.snapshotContent),
    'strip finalizer': (users) => users.stripFinalizers(),
    'make free volume': (users) => users.makeFreeVolume(),
    'snapshots off': (users) => users.create(settingsOff()),
    'snapshots on': (users) => users.delete(resources.configMap, place.system, 'longshore'),
    'remake source namespace': () => this.remake(place.source),
    'remake target namespace': () => this.remake(namespaceOf(this.manner)),
    'confirm grant': (users) => users.change(resources.referenceGrant, place.source, 'wanted', this.confirmation()),
    'confirm wish': (users) => this.confirmWish(users),
    'hold claims': (users) => users.hold(resources.claim, ({ metadata }) => metadata.namespace !== place.system),
    'hold snapshots': (users) => {
      users.hold(resources.snapshot, ({ metadata }) => metadata.namespace === place.source);
      users.hold(resources.snapshotContent, (content) => !isCopy(content));
    },
    'hold copies': (users) => {
      for (const kind of [resources.claim, resources.snapshot, resources.snapshotContent]) users.hold(kind, isCopy);
    },
    'write data': (users) => users.writeData(),
    'follow messages': () => this.followers.follow(),
    'driver fails': (users) => users.fare('failing'),
    'driver hangs': (users) => users.fare('hanging'),
    'driver uploads': (users) => users.fare('uploading'),
    'driver works': (users) => users.fare(undefined),
  };

  /** Somebody waits for the name of a snapshot to be free, to take another one. */
  private isReplacing = false;

  /** A grant is taken back at some time when a volume is ready to be handed over. */
  private isRevoking = false;

  goOn(): void {
    if (this.isRevoking && this.users.isVolumeReady() && this.random.chance(0.15)) {
      this.isRevoking = false;
      this.act('revoke grant');
    }
    if (this.isReplacing && this.users.takeSnapshot(wanted)) this.isReplacing = false;
    this.followers.goOn();
    for (const namespace of this.remade.goOn()) this.settleIn(namespace);
    if (this.isLifted && !this.remade.areGoing) this.agree();
  }

  private isLifted = false;

  /** Some users look at what was told only when all is long over, and the claims have been in use since. */
  private readLate(): void {
    if (!this.random.chance(0.3)) return;
    this.users.writeData();
    this.followers.follow();
  }

  private remake(namespace: string): void {
    for (const object of this.remade.begin(namespace)) this.users.giveUp(object);
  }

  /** Other people have the namespace now, with data and wishes of their own. */
  private settleIn(namespace: string): void {
    if (namespace === place.source) {
      this.users.create(emptyClaim({ namespace, name: sourceName, className }));
      this.isReplacing = true;
    }
    if (namespace !== namespaceOf(this.manner)) return;
    this.users.create(linkTo(this.manner, wanted));
    this.users.create(this.claim('restored'));
  }

  private confirmation(namespace = namespaceOf(this.manner)): object {
    const uid = this.cluster.namespaces.get(namespace)?.metadata.uid;
    return uid === undefined ? {} : { metadata: { annotations: { [confirmationAnnotation]: uid } } };
  }

  private confirmWish(users: Users): void {
    const confirmed = this.confirmation(place.source);
    const namespace = namespaceOf(this.manner);
    users.change(resources.snapshotLink, namespace, linkName, confirmed);
    for (const name of ['restored', 'second']) users.change(resources.claim, namespace, name, confirmed);
  }

  private agree(): void {
    this.users.create(linkTo(this.manner, wanted));
    this.users.create(grantOf('everything'));
  }

  liftObstacles(): void {
    this.readLate();
    this.isRevoking = false;
    this.users.fare(undefined);
    this.users.delete(resources.configMap, place.system, 'longshore');
    this.users.letGo();
    this.isLifted = true;
    this.isConsumed = true;
  }

  private changeGrant(users: Users, name: string, fromNamespace?: string): void {
    users.delete(resources.referenceGrant, place.source, 'wanted');
    users.create(grantOf('wanted', name, fromNamespace));
  }

  private claim(name: string) {
    return wantingClaim(this.manner, name, this.hasPolicies);
  }
}
