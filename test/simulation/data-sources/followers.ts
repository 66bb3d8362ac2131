import { isCopy } from '../../../lib/capabilities/data-sources/names.ts';
import { populatedConditionOf } from '../../../lib/capabilities/data-sources/populated.ts';
import type { Claim } from '../../../lib/kubernetes/objects.ts';
import { nameOf, resources } from '../../../lib/kubernetes/resources.ts';
import { adviceIn } from '../../support/advice.ts';
import { type FakeCluster, nameOfObject } from '../fake-cluster.ts';

/** Users who do by the letter what a claim or one of its Events tells them, whenever they read it. */
export class Followers {
  private readonly cluster: FakeCluster;
  private readonly deleted: Claim[] = [];

  constructor(cluster: FakeCluster) {
    this.cluster = cluster;
  }

  follow(): void {
    for (const claim of this.cluster.all(resources.claim)) {
      if (!isCopy(claim)) for (const message of this.messagesOf(claim)) this.obey(claim, message);
    }
  }

  /** What was deleted is created again when its name is free. */
  goOn(): void {
    for (const claim of this.deleted.splice(0)) {
      if (this.cluster.read(nameOfObject(claim))) this.deleted.push(claim);
      else this.create(claim, claim.metadata.name);
    }
  }

  private messagesOf(claim: Claim): string[] {
    const events = this.cluster.all(resources.event, claim.metadata.namespace);
    const notes = events.filter(({ regarding }) => regarding?.uid === claim.metadata.uid).map(({ note = '' }) => note);
    return [populatedConditionOf(claim)?.message ?? '', ...notes];
  }

  private obey(read: Claim, message: string): void {
    const claim = this.cluster.read(nameOfObject(read));
    if (!claim || claim.metadata.deletionTimestamp) return;
    const { deletes, createsAnother } = adviceIn(message);
    if (createsAnother) this.create(claim, `another-${claim.metadata.name.replace('another-', '')}`);
    if (deletes === 'never' || (deletes === 'without a volume' && claim.spec.volumeName)) return;
    this.deleted.push(claim);
    this.cluster.delete(nameOfObject(claim)).catch(() => {});
  }

  private create({ apiVersion, kind, metadata, spec }: Claim, name: string): void {
    const { namespace = '' } = metadata;
    const { volumeName: _, ...wanted } = spec;
    const object = nameOf(resources.claim, namespace, name);
    this.cluster.create(object, { apiVersion, kind, metadata: { namespace, name }, spec: wanted }).catch(() => {});
  }
}
