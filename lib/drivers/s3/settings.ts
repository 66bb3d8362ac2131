import type { IAMClient } from '@aws-sdk/client-iam';
import type { S3Client } from '@aws-sdk/client-s3';
import type { BucketLocation, Parameters } from '../driver.ts';
import { fail, invalid } from './errors.ts';

/** Where a store is and who calls it: what clients differ in. */
export interface Settings {
  region: string;
  /** Undefined where AWS is: there it follows from the region. */
  endpoint: string | undefined;
  iamEndpoint: string | undefined;
  forcePathStyle: boolean;
  /** The administrator's keys; undefined for those that the function's own role has. */
  credentials: Keys | undefined;
}

export interface Keys {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

export interface Clients {
  s3: Pick<S3Client, 'send'>;
  iam: Pick<IAMClient, 'send'>;
}

export type Connect = (settings: Settings) => Clients;

/** What holds where a class says nothing else. */
export interface Defaults {
  region?: string | undefined;
  endpoint?: string | undefined;
}

export function settingsOf(parameters: Parameters, secrets: Parameters, defaults: Defaults): Settings {
  const endpoint = parameters.endpoint ?? defaults.endpoint;
  // Stores that are not AWS mostly have no regions, and take this name for whatever they are.
  const region = parameters.region ?? defaults.region ?? (endpoint ? 'us-east-1' : undefined);
  if (!region) throw invalid(missingRegion);
  return {
    region,
    endpoint,
    // Keys of one store are not sent to another: without a word to the contrary, IAM is where the buckets are.
    iamEndpoint: parameters.iamEndpoint ?? endpoint,
    forcePathStyle: (parameters.forcePathStyle ?? String(endpoint !== undefined)) === 'true',
    credentials: keysOf(parameters, secrets),
  };
}

export const missingRegion = 'The parameter region is missing: name the region that the buckets are to be in';

/** A class that names a Secret means those keys; the function's own role is never used in their place. */
function keysOf({ driverSecretName }: Parameters, secrets: Parameters): Keys | undefined {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = secrets;
  if (AWS_ACCESS_KEY_ID && AWS_SECRET_ACCESS_KEY) {
    const keys = { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY };
    return AWS_SESSION_TOKEN ? { ...keys, sessionToken: AWS_SESSION_TOKEN } : keys;
  }
  if (!driverSecretName) return undefined;
  throw fail(
    'denied',
    `The Secret ${driverSecretName} must have AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY: add them`,
  );
}

export function locationOf(bucket: string, { region, endpoint }: Settings): BucketLocation {
  return { protocol: 's3', bucket, region, endpoint: endpoint ?? `https://s3.${region}.${suffixOf(region)}` };
}

function suffixOf(region: string): string {
  return region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
}

/** The first part of every name of a resource there. */
export function partitionOf(region: string): string {
  if (region.startsWith('cn-')) return 'aws-cn';
  return region.startsWith('us-gov-') ? 'aws-us-gov' : 'aws';
}
