import { archiveFrom } from '../archive/archive-bucket.ts';
import { type DriverConfig, driverTypes } from '../capabilities/buckets/drivers/driver-config.ts';
import { toTagValue } from '../capabilities/buckets/drivers/tag-value.ts';
import { type BucketRequests, bucketRequestsFrom } from '../capabilities/buckets/requests/permissions.ts';
import { defaultMaxFanOut } from '../forwarder/fan-out.ts';
import { isLegalName } from '../kubernetes/resources.ts';
import { asRecord, ConfigError, parseJson, readCount, readDimension } from './config-values.ts';
import { type LogLevel, logLevelFrom } from './log.ts';
import { defaultMegabytes } from './memory/budget.ts';
import { anyDeployment } from './metrics.ts';

export { ConfigError };

/** The only reader of the environment. It is read once, as a whole, and fails at once if any of it is wrong. */

export interface Config {
  function: string;
  /** The first dimension of all metrics, so that two deployments in one account do not share any. */
  deployment: string;
  clusters: ClusterConfig[];
  /** The queue of each function that a change can concern; for the forwarder. */
  queues: Record<string, string>;
  /** This function's own queue, for the back-off of its messages. */
  queueUrl: string | undefined;
  /** After this many deliveries a message goes to the dead-letter queue. */
  maxReceives: number;
  /** The drivers of buckets that this deployment serves. */
  drivers: DriverConfig[];
  /** The deployment's name, for work that only one may do in a cluster. */
  identity: string;
  /** The ARN of the policy that limits all users and roles that drivers create with the function's own role. */
  permissionsBoundary: string | undefined;
  /** The events that may request Buckets; only with a queue for those that may not. */
  bucketRequests: BucketRequests | undefined;
  /** The bucket to which sent messages are written; for the forwarder. */
  archive: string | undefined;
  /** How many messages one change may become at once; for the forwarder. */
  maxFanOut: number;
  logLevel: LogLevel;
  /** The function's memory, according to Lambda. */
  megabytes: number;
}

export interface ClusterConfig {
  name: string;
  access: AccessConfig;
}

export type AccessConfig =
  /** A kubeconfig in `secretsmanager:<name>`, `ssm:<name>` or `file:<path>`: with a token or a client certificate. */
  | { type: 'kubeconfig'; from: string }
  /** A static bearer token in a secret store. */
  | { type: 'token'; server: string; certificateAuthority?: string; from: string }
  /** Amazon EKS: a token presigned with this function's own AWS identity. */
  | { type: 'eks'; server: string; certificateAuthority: string; clusterName: string; region?: string };

type Environment = Record<string, string | undefined>;

export function readConfig(environment: Environment = process.env): Config {
  const config = readWithoutClusters(environment);
  return { ...config, clusters: readClusters(environment.LONGSHORE_CLUSTERS, config.function) };
}

/** For a process that is told its clusters in another way. */
export function readWithoutClusters(environment: Environment): Omit<Config, 'clusters'> {
  const name = environment.LONGSHORE_FUNCTION;
  if (!name) throw new ConfigError('LONGSHORE_FUNCTION', 'is not set: it names the function that runs here');
  return {
    function: name,
    deployment: readDimension('LONGSHORE_DEPLOYMENT', environment.LONGSHORE_DEPLOYMENT || anyDeployment),
    queues: readQueues(environment.LONGSHORE_QUEUES),
    queueUrl: environment.LONGSHORE_QUEUE_URL || undefined,
    maxReceives: readCount('LONGSHORE_MAX_RECEIVES', environment.LONGSHORE_MAX_RECEIVES, 8),
    ...readDrivers(environment.LONGSHORE_DRIVERS, environment.LONGSHORE_IDENTITY),
    permissionsBoundary: environment.LONGSHORE_PERMISSIONS_BOUNDARY || undefined,
    bucketRequests: bucketRequestsFrom(environment, configError),
    archive: archiveFrom(environment, configError),
    maxFanOut: readCount('LONGSHORE_MAX_FAN_OUT', environment.LONGSHORE_MAX_FAN_OUT, defaultMaxFanOut),
    logLevel: logLevelFrom(environment, configError),
    megabytes: readCount(
      'AWS_LAMBDA_FUNCTION_MEMORY_SIZE',
      environment.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
      defaultMegabytes,
    ),
  };
}

const configError = (variable: string, problem: string): ConfigError => new ConfigError(variable, problem);

function readClusters(text: string | undefined, functionName: string): ClusterConfig[] {
  const variable = 'LONGSHORE_CLUSTERS';
  const example = '[{"name":"main","access":{"type":"kubeconfig","from":"secretsmanager:…"}}]';
  // One value serves all functions, although each has its own credentials.
  const parsed = parseJson(variable, text?.replaceAll('{function}', functionName));
  if (!Array.isArray(parsed) || parsed.length === 0) {
    throw new ConfigError(variable, `must be a JSON array of at least one cluster, such as ${example}`);
  }
  const clusters = parsed.map((cluster, index) => readCluster(`${variable}[${index}]`, cluster));
  const twice = clusters.find(({ name }, index) => clusters.findIndex((other) => other.name === name) !== index);
  if (twice) throw new ConfigError(variable, `has two clusters named ${JSON.stringify(twice.name)}`);
  refuseSameInTags(variable, clusters);
  return clusters;
}

/** Resources in a store are tagged with the cluster's name: two clusters with the same tag would own each other's buckets. */
export function refuseSameInTags(variable: string, clusters: readonly Pick<ClusterConfig, 'name'>[]): void {
  const same = [...Map.groupBy(clusters, ({ name }) => toTagValue(name)).values()].find(({ length }) => length > 1);
  if (!same) return;
  const names = same.map(({ name }) => JSON.stringify(name)).join(' and ');
  const remedy = 'rename the one that has no buckets yet, with nothing but letters, digits and _.:/=+-@';
  throw new ConfigError(variable, `has the clusters ${names}, which are the same in a tag of a bucket: ${remedy}`);
}

const accessFields: Record<AccessConfig['type'], string[]> = {
  kubeconfig: ['from'],
  token: ['server', 'from'],
  eks: ['server', 'certificateAuthority', 'clusterName'],
};

function readCluster(variable: string, value: unknown): ClusterConfig {
  const { name: text, access } = asRecord(variable, value);
  const name = readDimension(`${variable}.name`, text);
  const fields = asRecord(`${variable}.access`, access);
  const type = fields.type as AccessConfig['type'];
  const required = typeof type === 'string' && Object.hasOwn(accessFields, type) ? accessFields[type] : undefined;
  if (!required) throw new ConfigError(`${variable}.access.type`, 'must be kubeconfig, token or eks');
  for (const field of required) {
    if (typeof fields[field] !== 'string' || fields[field] === '') {
      throw new ConfigError(`${variable}.access.${field}`, `must be a string for access of type ${fields.type}`);
    }
  }
  return { name, access: fields as AccessConfig };
}

function readQueues(text: string | undefined): Record<string, string> {
  if (!text) return {};
  const queues = asRecord('LONGSHORE_QUEUES', parseJson('LONGSHORE_QUEUES', text));
  for (const [name, url] of Object.entries(queues)) {
    if (typeof url !== 'string') throw new ConfigError(`LONGSHORE_QUEUES.${name}`, 'must be the address of a queue');
  }
  const [one, other] = sameAddress(Object.entries(queues));
  if (other)
    throw new ConfigError('LONGSHORE_QUEUES', `has one address for ${one} and ${other}: each needs its own queue`);
  return queues as Record<string, string>;
}

/** A queue gets one message per change: of two functions that share it, one would never receive it. */
function sameAddress(queues: [string, unknown][]): string[] {
  const shared = Map.groupBy(queues, ([, url]) => url);
  return [...shared.values()].find(({ length }) => length > 1)?.map(([name]) => name) ?? [];
}

function readDrivers(text: string | undefined, identity: string | undefined): Pick<Config, 'drivers' | 'identity'> {
  const variable = 'LONGSHORE_DRIVERS';
  const drivers = text ? parseJson(variable, text) : [];
  if (!Array.isArray(drivers)) throw new ConfigError(variable, 'must be a JSON array of drivers');
  for (const [index, driver] of drivers.entries()) {
    const { name, type } = asRecord(`${variable}[${index}]`, driver);
    if (typeof name !== 'string' || !isLegalName(name)) {
      throw new ConfigError(`${variable}[${index}].name`, 'must be a name such as s3.example.com');
    }
    if (typeof type !== 'string' || !driverTypes.some((each) => each === type)) {
      throw new ConfigError(`${variable}[${index}].type`, `must be ${driverTypes.join(' or ')}`);
    }
  }
  const names = drivers.map(({ name }) => name);
  if (new Set(names).size < names.length) throw new ConfigError(variable, 'has two drivers of one name');
  if (drivers.length > 0 && !identity)
    throw new ConfigError('LONGSHORE_IDENTITY', 'is not set: drivers are registered by it');
  return { drivers, identity: identity ?? '' };
}
