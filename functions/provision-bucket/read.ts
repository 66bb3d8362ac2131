import { sourceSecretNameOf, systemNamespace } from '../../lib/buckets/names.ts';
import { isEmptiedWith, isJoining, readNamesakes } from '../../lib/buckets/namesakes.ts';
import type { Bucket, BucketContent, Registration } from '../../lib/buckets/objects.ts';
import type { Cluster } from '../../lib/cluster/cluster.ts';
import type { Secret } from '../../lib/cluster/objects.ts';
import { isLegalName, type Key, nameOf, resources } from '../../lib/cluster/resources.ts';
import type {
  CreateBucketOutcome,
  DeleteBucketOutcome,
  GrantAccessOutcome,
  Parameters,
  RevokeAccessOutcome,
} from '../../lib/drivers/driver.ts';
import type { World } from '../../lib/reconcile/step.ts';
import type { Provisioner } from './step.ts';

export interface ProvisioningWorld extends World {
  readonly cluster: string;
  readonly content?: BucketContent | undefined;
  /** The Bucket that the content is for; absent when it is gone, also when another one has its name. */
  readonly bucket?: Bucket | undefined;
  readonly registration?: Registration | undefined;
  readonly secret?: Secret | undefined;
  /** The administrator's Secret that the class names for its driver. */
  readonly driverSecret?: Secret | undefined;
  /** What the driver finds wrong with the class's parameters; undefined when the driver is none of ours. */
  readonly problems?: readonly string[] | undefined;
  /** The class's parameters as the driver settles them. */
  readonly parameters?: Parameters | undefined;
  /** The other contents that mean the same bucket, where they matter for what comes next. */
  readonly namesakes?: readonly BucketContent[] | undefined;
  readonly identity: string;
  readonly worker: string;
  /** What the driver has answered in this run. */
  readonly created?: CreateBucketOutcome | undefined;
  readonly granted?: GrantAccessOutcome | undefined;
  readonly revoked?: RevokeAccessOutcome | undefined;
  readonly deleted?: DeleteBucketOutcome | undefined;
}

export const driverSecretParameter = 'driverSecretName';

export function readFor({ drivers, identity, worker }: Provisioner) {
  return async (cluster: Cluster, key: Key): Promise<ProvisioningWorld> => {
    const always = { cluster: cluster.name, identity, worker };
    const content = await cluster.get<BucketContent>(nameOf(resources.bucketContent, undefined, key.name));
    if (!content) return always;
    const { bucketRef, provisioner, flow, parameters = {} } = content.spec;
    const driver = provisioner ? drivers.get(provisioner) : undefined;
    // What cannot be named fails before anything is asked for: nobody would wait for the answers any more.
    const secretName = driver && sourceSecretNameOf(content);
    const driverSecretName = parameters[driverSecretParameter];
    // The content first, then the Bucket: a content can be made from a Bucket that has gone meanwhile, but never before it is there.
    const [bucket, registration, secret, driverSecret, namesakes] = await Promise.all([
      cluster.get<Bucket>(nameOf(resources.bucket, bucketRef.namespace, bucketRef.name)),
      provisioner ? cluster.get<Registration>(nameOf(resources.registration, undefined, provisioner)) : undefined,
      secretName ? readSecret(cluster, secretName) : undefined,
      driver ? readDriverSecret(cluster, driverSecretName) : undefined,
      driver && mayConcernOthers(content) ? readNamesakes(cluster, content) : undefined,
    ]);
    const problems =
      driver && flow !== 'Static' ? driver.check(content.status?.settledParameters ?? parameters, flow) : undefined;
    const settled = driver?.settle(parameters);
    const isSame = bucket?.metadata.uid === bucketRef.uuid;
    return {
      ...always,
      content,
      bucket: isSame ? bucket : undefined,
      registration,
      secret,
      driverSecret,
      namesakes,
      problems,
      parameters: settled,
    };
  };
}

/** A bucket that is to be emptied, or one that somebody else may be about to. */
function mayConcernOthers(content: BucketContent): boolean {
  if (content.status?.phase === 'Released') return false;
  return content.metadata.deletionTimestamp ? isEmptiedWith(content) : isJoining(content);
}

/** A name that there cannot be names nothing. */
async function readDriverSecret(cluster: Cluster, name: string | undefined): Promise<Secret | undefined> {
  return name && isLegalName(name) ? readSecret(cluster, name) : undefined;
}

/** Only in the system's own namespace: what a class names must not lead into anybody else's. */
function readSecret(cluster: Cluster, name: string): Promise<Secret | undefined> {
  return cluster.get<Secret>(nameOf(resources.secret, systemNamespace, name));
}
