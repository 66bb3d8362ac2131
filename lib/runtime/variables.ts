import * as v from 'valibot';
import { archiveAccepts, archiveBucket } from '../archive/archive-bucket.ts';
import { driverConfigs } from '../capabilities/buckets/driver-configs.ts';
import { permissions } from '../capabilities/buckets/requests/permissions.ts';
import { defaultMaxFanOut } from '../forwarder/fan-out.ts';
import { clusterConfigs, clustersAccept } from '../kubernetes/cluster-configs.ts';
import { count, dimension, json, type Schema, string } from './config-values.ts';
import { logLevels } from './log.ts';
import { defaultMegabytes } from './memory/budget.ts';
import { anyDeployment } from './metrics.ts';
import { queueAddresses } from './queue-addresses.ts';

/** An environment variable. The table in docs/configuration.md and the messages are made from it. */
export interface Variable<T> {
  /** The functions that read it. */
  for: string;
  /** Completes "must be …". */
  accepts: string;
  schema: Schema<T>;
  /** Completes "is not set: …"; only if it is required. */
  required?: string;
  /** The value if it is not set, as it would be written. */
  default?: string;
}

const wholeNumber = 'a whole number of at least 1';
const oneOrOther = new Intl.ListFormat('en-GB', { type: 'disjunction' });
const levels = oneOrOther.format(logLevels);

type About = Omit<Variable<unknown>, 'accepts' | 'schema'>;

function variable<T, const A extends About>(accepts: string, schema: Schema<T>, about: A) {
  return { accepts, schema, ...about };
}

const buckets = 'register-driver, provision-bucket, sweep-buckets';

/** All environment variables of the functions. */
export const variables = {
  LONGSHORE_FUNCTION: variable("the function's name", string("the function's name"), {
    for: 'all',
    required: 'it names the function that runs here',
  }),
  LONGSHORE_CLUSTERS: variable(clustersAccept, json(clusterConfigs), {
    for: 'all',
    required: 'it lists the clusters',
  }),
  LONGSHORE_QUEUES: variable('a JSON object: function → URL of its queue', json(queueAddresses), {
    for: 'forward',
    default: '{}',
  }),
  LONGSHORE_ARCHIVE: variable(archiveAccepts, archiveBucket, { for: 'forward' }),
  LONGSHORE_MAX_FAN_OUT: variable(wholeNumber, count(wholeNumber), {
    for: 'forward',
    default: String(defaultMaxFanOut),
  }),
  LONGSHORE_QUEUE_URL: variable('the URL of a queue', string('the URL of a queue'), { for: 'the others' }),
  LONGSHORE_MAX_RECEIVES: variable(wholeNumber, count(wholeNumber), { for: 'the others', default: '8' }),
  LONGSHORE_DRIVERS: variable('a JSON array of drivers', json(driverConfigs), { for: buckets, default: '[]' }),
  LONGSHORE_IDENTITY: variable('the identity of the deployment', string('the identity of the deployment'), {
    for: `${buckets}, forward`,
  }),
  LONGSHORE_LOG_LEVEL: variable(levels, v.picklist(logLevels, `must be ${levels}`), { for: 'all', default: 'info' }),
  LONGSHORE_DEPLOYMENT: variable('the name of the stack', dimension, { for: 'all', default: anyDeployment }),
  LONGSHORE_PERMISSIONS_BOUNDARY: variable('the ARN of a policy', string('the ARN of a policy'), {
    for: 'provision-bucket',
  }),
  LONGSHORE_BUCKET_REQUESTS: variable('a JSON object', json(permissions), { for: 'request-bucket', default: '{}' }),
  LONGSHORE_DEAD_LETTERS_URL: variable('the URL of a queue', string('the URL of a queue'), { for: 'request-bucket' }),
  LONGSHORE_DRIVER_ROLE: variable('the ARN of a role', string('the ARN of a role'), { for: 'request-bucket' }),
  AWS_LAMBDA_FUNCTION_MEMORY_SIZE: variable(wholeNumber, count(wholeNumber), {
    for: 'all',
    default: String(defaultMegabytes),
  }),
} satisfies Record<string, Variable<unknown>>;

export type VariableName = keyof typeof variables;
