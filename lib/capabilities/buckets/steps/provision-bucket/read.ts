import type { Name } from '../../../../kubernetes/brands.ts';
import type { Cluster } from '../../../../kubernetes/cluster.ts';
import type { Secret } from '../../../../kubernetes/objects.ts';
import { isLegalName, type Key, nameOf, resources } from '../../../../kubernetes/resources.ts';
import { sourceSecretNameOf, systemNamespace } from '../../names.ts';
import { isEmptiedWith, isJoining, readNamesakes } from '../../namesakes.ts';
import type { BucketContent } from '../../objects.ts';
import type { Provisioner } from './provisioner.ts';
import { driverSecretParameter, type ProvisioningWorld } from './world.ts';

export function readFor({ drivers, identity, worker }: Provisioner) {
  return async (cluster: Cluster, key: Key): Promise<ProvisioningWorld> => {
    const always = { cluster: cluster.name, identity, worker };
    const content = await cluster.get(nameOf(resources.bucketContent, undefined, key.name));
    if (!content) return always;
    const { bucketRef, provisioner, flow, parameters = {} } = content.spec;
    const driver = provisioner ? drivers.get(provisioner) : undefined;
    // An illegal name fails before any request is sent: no one would await the responses.
    const secretName = driver && sourceSecretNameOf(content);
    const driverSecretName = parameters[driverSecretParameter];
    // The content first, then the Bucket: a content may have been created from a Bucket that is gone meanwhile, but
    // never before the Bucket.
    const [bucket, registration, secret, driverSecret, namesakes] = await Promise.all([
      cluster.get(nameOf(resources.bucket, bucketRef.namespace, bucketRef.name)),
      provisioner ? cluster.get(nameOf(resources.registration, undefined, provisioner)) : undefined,
      secretName ? readSecret(cluster, secretName) : undefined,
      driver ? readDriverSecret(cluster, driverSecretName) : undefined,
      driver && mayConcernOthers(content) ? readNamesakes(cluster, content) : undefined,
    ]);
    const problems =
      driver && flow !== 'Static' ? driver.check(content.status?.settledParameters ?? parameters, flow) : undefined;
    const settled = driver?.settleParameters(parameters);
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

/** True for a bucket that is to be emptied, or that another content may be about to empty. */
function mayConcernOthers(content: BucketContent): boolean {
  if (content.status?.phase === 'Released') return false;
  return content.metadata.deletionTimestamp ? isEmptiedWith(content) : isJoining(content);
}

/** An illegal name refers to nothing. */
async function readDriverSecret(cluster: Cluster, name: Name | undefined): Promise<Secret | undefined> {
  return name && isLegalName(name) ? readSecret(cluster, name) : undefined;
}

/** Only in the system's own namespace: the names in a class must not lead into other namespaces. */
function readSecret(cluster: Cluster, name: Name): Promise<Secret | undefined> {
  return cluster.get(nameOf(resources.secret, systemNamespace, name));
}
