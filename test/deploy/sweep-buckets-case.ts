import { randomBytes, randomUUID } from 'node:crypto';
import { CreateAccessKeyCommand, CreateUserCommand, IAMClient } from '@aws-sdk/client-iam';
import { GetFunctionConfigurationCommand, InvokeCommand } from '@aws-sdk/client-lambda';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { createDrivers } from '../../lib/capabilities/buckets/drivers/drivers.ts';
import { connectTo } from '../../lib/capabilities/buckets/drivers/s3/connect.ts';
import type { Bucket } from '../../lib/capabilities/buckets/objects.ts';
import { sweep } from '../../lib/capabilities/buckets/steps/sweep-buckets/sweep.ts';
import type { Sweeping } from '../../lib/capabilities/buckets/steps/sweep-buckets/sweeping.ts';
import { answerOf } from '../../lib/capabilities/buckets/sweep/report.ts';
import { accessFromKubeconfig } from '../../lib/kubernetes/access/embedded-kubeconfig.ts';
import { Connection } from '../../lib/kubernetes/connection.ts';
import type { Secret } from '../../lib/kubernetes/objects.ts';
import { RestCluster } from '../../lib/kubernetes/rest-cluster.ts';
import { functionKubeconfig } from '../../tools/control-plane/manifests.ts';
import { bucket, bucketClass, driverName, environmentIn, isBound, secretOf } from '../../tools/local/bucket-objects.ts';
import { clusterName } from '../../tools/local/local-stack.ts';
import { ClusterClient } from '../support/cluster-client.ts';
import { deployedStack, nameOfFunction } from '../support/deployed-stack.ts';
import { patient } from '../support/patience.ts';
import { keysOfRole } from './sweep-buckets-role.ts';

export const functionName = 'sweep-buckets';
export const deployed = deployedStack();
const { settings } = deployed;
export const client = new ClusterClient(deployed.kubeconfigPath);
export const s3 = new S3Client({ ...settings, forcePathStyle: true });
export const iam = new IAMClient(settings);

/** Which deployment this is, as the function itself knows it. */
async function identityOf(): Promise<string> {
  const command = new GetFunctionConfigurationCommand({ FunctionName: nameOfFunction(deployed, functionName) });
  const { Environment } = await deployed.lambda.send(command);
  return Environment?.Variables?.LONGSHORE_IDENTITY ?? '';
}

export interface Answer {
  problems: string[];
  findings: { verdict: string; name: string; cluster?: string; message: string }[];
  removed: string[];
  refused: { name: string; why: string }[];
}

/** As people and the schedule do it. */
export async function invoke(event: object = {}): Promise<Answer> {
  const FunctionName = nameOfFunction(deployed, functionName);
  const { Payload, FunctionError } = await deployed.lambda.send(
    new InvokeCommand({ FunctionName, Payload: JSON.stringify(event) }),
  );
  const text = Buffer.from(Payload ?? []).toString('utf8');
  if (FunctionError) throw new Error(text);
  return JSON.parse(text);
}

/** The same in this process with the function's own rights, at a time when what has just been made is old enough. */
export async function sweepLater(remove: string[]): Promise<Answer> {
  const keys = await keysOfRole(deployed, functionName);
  const connect = connectTo();
  const access = accessFromKubeconfig(await functionKubeconfig(deployed.kubeconfigPath, functionName));
  const connection = new Connection(access);
  const cluster = new RestCluster(clusterName, connection);
  const identity = await identityOf();
  const sweeping: Sweeping = {
    identity,
    clusters: [clusterName],
    cluster: async () => cluster,
    drivers: createDrivers([{ name: driverName, type: 's3' }], {
      identity,
      connect: (given) => connect({ ...given, credentials: given.credentials ?? keys }),
    }),
    deadline: Date.now() + patient(600_000),
    now: () => new Date(Date.now() + 2 * 60 * 60_000),
  };
  try {
    return answerOf(await sweep(sweeping, remove)) as Answer;
  } finally {
    connection.close();
  }
}

/** A Bucket with everything that belongs to it. */
export async function bound() {
  const suffix = randomBytes(4).toString('hex');
  const { endpoint, region } = settings;
  const parameters = { endpoint, region };
  const made = await client.create(bucketClass(`class-${suffix}`, { releasePolicy: 'Delete', parameters }));
  await client.createNamespace(`team-${suffix}`);
  const asked = await client.create(bucket(`team-${suffix}`, 'photos', made.metadata.name));
  const found = await client.until<Bucket>(asked, isBound);
  const environment = environmentIn(await client.until<Secret>(secretOf(asked)));
  const user = `cosi-${found.metadata.uid?.replaceAll('-', '')}`;
  return {
    asked,
    content: found.status?.bucketContentName ?? '',
    user,
    name: environment.BUCKET_NAME ?? '',
    environment,
  };
}

function tagsOf(owner: string) {
  return Object.entries({ owner, cluster: clusterName }).map(([key, Value]) => ({
    Key: `longshore.dev/${key}`,
    Value,
  }));
}

/** What a Bucket leaves behind whose objects were lost. */
export async function orphanedUser() {
  const owner = randomUUID();
  const UserName = `cosi-${owner.replaceAll('-', '')}`;
  const Path = `/longshore/${await identityOf()}/`;
  await iam.send(new CreateUserCommand({ UserName, Path, Tags: tagsOf(owner) }));
  const { AccessKey } = await iam.send(new CreateAccessKeyCommand({ UserName }));
  return { user: UserName, key: AccessKey?.AccessKeyId ?? '' };
}

export async function unclaimedBucket(): Promise<string> {
  const owner = randomUUID();
  const Bucket = `left-${owner.replaceAll('-', '')}`;
  const place = { LocationConstraint: 'eu-central-1' as const };
  await s3.send(new CreateBucketCommand({ Bucket, CreateBucketConfiguration: { ...place, Tags: tagsOf(owner) } }));
  return Bucket;
}
