import type * as v from 'valibot';
import type { DriverConfig } from '../capabilities/buckets/drivers/driver-config.ts';
import { toTagValue } from '../capabilities/buckets/drivers/tag-value.ts';
import type { BucketRequests } from '../capabilities/buckets/requests/permissions.ts';
import type { ClusterConfig } from '../kubernetes/cluster-configs.ts';
import { ConfigError, readValue } from './config-values.ts';
import type { LogLevel } from './log.ts';
import { type Variable, type VariableName, variables } from './variables.ts';

export type { AccessConfig } from '../kubernetes/access/access-config.ts';
export type { ClusterConfig };
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

type Environment = Record<string, string | undefined>;
type ValueOf<Name extends VariableName> = v.InferOutput<(typeof variables)[Name]['schema']>;
/** Variables that have a value whether they are set or not. */
type Certain = {
  [Name in VariableName]: (typeof variables)[Name] extends { required: string } | { default: string } ? Name : never;
}[VariableName];

export function readConfig(environment: Environment = process.env): Config {
  const config = readWithoutClusters(environment);
  // One value serves all functions, although each has its own credentials.
  const LONGSHORE_CLUSTERS = environment.LONGSHORE_CLUSTERS?.replaceAll('{function}', config.function);
  const clusters = readerOf({ LONGSHORE_CLUSTERS }).get('LONGSHORE_CLUSTERS');
  refuseSameInTags('LONGSHORE_CLUSTERS', clusters);
  return { ...config, clusters };
}

/** For a process that gets its clusters in another way. */
export function readWithoutClusters(environment: Environment): Omit<Config, 'clusters'> {
  const values = readerOf(environment);
  const name = values.get('LONGSHORE_FUNCTION');
  const drivers = values.get('LONGSHORE_DRIVERS');
  const identity = values.find('LONGSHORE_IDENTITY') ?? '';
  if (drivers.length > 0 && !identity)
    throw new ConfigError('LONGSHORE_IDENTITY', 'is not set: drivers are registered by it');
  return {
    function: name,
    deployment: values.get('LONGSHORE_DEPLOYMENT'),
    queues: values.get('LONGSHORE_QUEUES'),
    queueUrl: values.find('LONGSHORE_QUEUE_URL'),
    maxReceives: values.get('LONGSHORE_MAX_RECEIVES'),
    drivers,
    identity,
    permissionsBoundary: values.find('LONGSHORE_PERMISSIONS_BOUNDARY'),
    bucketRequests: bucketRequestsFrom(values),
    archive: values.find('LONGSHORE_ARCHIVE'),
    maxFanOut: values.get('LONGSHORE_MAX_FAN_OUT'),
    logLevel: values.get('LONGSHORE_LOG_LEVEL'),
    megabytes: values.get('AWS_LAMBDA_FUNCTION_MEMORY_SIZE'),
  };
}

function readerOf(environment: Environment) {
  /** The value, or undefined if it is neither set nor has a default. An empty string counts as not set. */
  const find = <Name extends VariableName>(name: Name): ValueOf<Name> | undefined => {
    const { schema, required, default: otherwise }: Variable<unknown> = variables[name];
    const text = environment[name] || otherwise;
    if (text !== undefined) return readValue(name, schema, text) as ValueOf<Name>;
    if (required !== undefined) throw new ConfigError(name, `is not set: ${required}`);
    return undefined;
  };
  return { find, get: <Name extends Certain>(name: Name) => find(name) as ValueOf<Name> };
}

/** Resources in a store are tagged with the cluster's name: two clusters with the same tag would own each other's buckets. */
export function refuseSameInTags(variable: string, clusters: readonly Pick<ClusterConfig, 'name'>[]): void {
  const same = [...Map.groupBy(clusters, ({ name }) => toTagValue(name)).values()].find(({ length }) => length > 1);
  if (!same) return;
  const names = same.map(({ name }) => JSON.stringify(name)).join(' and ');
  const remedy = 'rename the one that has no buckets yet, with nothing but letters, digits and _.:/=+-@';
  throw new ConfigError(variable, `has the clusters ${names}, which are the same in a tag of a bucket: ${remedy}`);
}

/** Only the function that handles requests has a queue for refused ones. */
function bucketRequestsFrom({ find, get }: ReturnType<typeof readerOf>): BucketRequests | undefined {
  const deadLettersUrl = find('LONGSHORE_DEAD_LETTERS_URL');
  if (deadLettersUrl === undefined) return undefined;
  const driverRole = find('LONGSHORE_DRIVER_ROLE');
  const permissions = get('LONGSHORE_BUCKET_REQUESTS');
  if (permissions.adoptions.length > 0 && driverRole === undefined)
    throw new ConfigError('LONGSHORE_DRIVER_ROLE', "is not set: without it, the driver's own buckets would be adopted");
  return { permissions, deadLettersUrl, driverRole };
}
