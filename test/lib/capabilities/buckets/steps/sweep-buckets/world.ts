import type { Parameters } from '../../../../../../lib/capabilities/buckets/drivers/driver.ts';
import { createDrivers } from '../../../../../../lib/capabilities/buckets/drivers/drivers.ts';
import { sweep } from '../../../../../../lib/capabilities/buckets/steps/sweep-buckets/sweep.ts';
import type { Sweeping } from '../../../../../../lib/capabilities/buckets/steps/sweep-buckets/sweeping.ts';
import { select } from '../../../../../../lib/json/selection.ts';
import type { Cluster } from '../../../../../../lib/kubernetes/cluster.ts';
import { ClusterError } from '../../../../../../lib/kubernetes/errors.ts';
import { listedFieldsOf } from '../../../../../../lib/kubernetes/listed-fields.ts';
import type { ClusterObject } from '../../../../../../lib/kubernetes/objects.ts';
import type { Resource } from '../../../../../../lib/kubernetes/resource.ts';
import { type ObjectName, objectPath } from '../../../../../../lib/kubernetes/resources.ts';
import { FakeStore } from '../../../../../support/fake-store.ts';
import { bucketClass, driver, encoded, now, ready, source } from '../../bucket-stages.ts';
import { granting } from '../../drivers/requests.ts';

export const owner = ready().spec.bucketRef.uuid;
export const bucket = ready().spec.bucketIdentifier ?? '';
export const user = `cosi-${owner.replaceAll('-', '')}`;
export const parameters: Parameters = { region: 'eu-central-1' };

/** Objects that are put into it by hand. */
export class ListedCluster implements Cluster {
  readonly name: string;
  objects: ClusterObject[] = [];
  isAway = false;

  constructor(name: string) {
    this.name = name;
  }

  async get<T extends ClusterObject>(place: ObjectName<T>): Promise<T | undefined> {
    return this.of(place.resource).find(({ metadata: { namespace, name } }) => {
      return namespace === place.namespace && name === place.name;
    }) as T | undefined;
  }

  async list<T extends ClusterObject>(resource: Resource<T>): Promise<T[]> {
    return this.of(resource).map((object) => select(object, listedFieldsOf(resource)) as T);
  }

  async create<T extends ClusterObject>(_: ObjectName<T>, body: T): Promise<T> {
    const made = { ...body, metadata: { ...body.metadata, uid: 'uid', resourceVersion: '1' } };
    this.objects.push(made);
    return made;
  }

  async patch<T extends ClusterObject>(place: ObjectName<T>, body: object): Promise<T> {
    const found = await this.get(place);
    if (!found) throw new ClusterError('gone', `${objectPath(place)} is gone`);
    return Object.assign(found, body);
  }

  async delete(): Promise<undefined> {
    throw new Error('a sweep deletes nothing in a cluster');
  }

  private of({ kind }: Resource): ClusterObject[] {
    if (this.isAway) throw new ClusterError('unreachable', `${this.name} is away`);
    return this.objects.filter((object) => object.kind === kind);
  }
}

/** A store and two clusters, in one of which a Bucket has all that it needs. */
export async function worldWithBucket() {
  const store = new FakeStore();
  const drivers = createDrivers([{ name: driver, type: 's3' }], { identity: 'main', connect: store.connect });
  const ours = drivers.get(driver);
  const about = { owner, bucket, parameters, cluster: 'main' };
  await ours?.createBucket(granting(about));
  const granted = await ours?.grantBucketAccess(granting(about));
  const held = (granted?.result === 'granted' && granted.credentials) || {};
  const [main, other] = [new ListedCluster('main'), new ListedCluster('other')];
  const content = ready({ spec: { parameters } });
  main.objects.push(bucketClass({ parameters }), content, source(encoded(held)));
  const sweeping: Sweeping = {
    clusters: ['main', 'other'],
    cluster: async (name) => (name === 'main' ? main : other),
    drivers,
    identity: 'main',
    deadline: Number.MAX_SAFE_INTEGER,
    now: () => now,
  };
  const run = (names?: string[]) => sweep(sweeping, names);
  /** What is left when the cluster has lost its objects. */
  const lose = () => {
    main.objects = main.objects.filter((object) => object !== content);
  };
  return { store, driver: ours, main, other, content, sweeping, held, lose, run };
}
