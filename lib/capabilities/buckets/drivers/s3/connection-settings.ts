import type { IAMClient } from '@aws-sdk/client-iam';
import type { S3Client } from '@aws-sdk/client-s3';
import type { BucketLocation, Parameters } from '../driver.ts';
import { fail, invalid } from './errors.ts';

/** The settings in which clients differ: the location of a store, and the credentials. */
export interface Settings {
  region: string;
  /** Undefined for AWS, where it follows from the region. */
  endpoint: string | undefined;
  iamEndpoint: string | undefined;
  forcePathStyle: boolean;
  /** The administrator's keys; undefined for the function's own role. */
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

/** The values for classes that set no others. */
export interface Defaults {
  region?: string | undefined;
  endpoint?: string | undefined;
}

export function settingsOf(parameters: Parameters, secrets: Parameters, defaults: Defaults): Settings {
  const given = parameters.endpoint ?? defaults.endpoint;
  const region = regionOf(parameters, defaults);
  if (!region) throw invalid(missingRegion);
  const endpoint = given === addressOfS3(region) ? undefined : given;
  const iamEndpoint = parameters.iamEndpoint ?? endpoint;
  return {
    region,
    endpoint,
    // With a custom endpoint, the client would sign for the bucket's region, and IAM accepts only its own.
    iamEndpoint: iamEndpoint === addressOfIam(region) ? undefined : iamEndpoint,
    forcePathStyle: (parameters.forcePathStyle ?? String(endpoint !== undefined)) === 'true',
    credentials: keysOf(parameters, secrets),
  };
}

export function regionOf({ region, endpoint }: Parameters, defaults: Defaults): string | undefined {
  // Most stores other than AWS have no regions, and accept this name for any.
  return region ?? defaults.region ?? ((endpoint ?? defaults.endpoint) ? 'us-east-1' : undefined);
}

export const missingRegion = 'The parameter region is missing: set the region of the buckets';

/** A class that names a Secret requires those keys; the function's own role is never used instead. */
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
  return { protocol: 's3', bucket, region, endpoint: endpoint ?? addressOfS3(region) };
}

/** The S3 endpoint of a region in AWS. */
export function addressOfS3(region: string): string {
  return `https://s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
}

const iamAddresses = {
  aws: 'https://iam.amazonaws.com',
  'aws-cn': 'https://iam.cn-north-1.amazonaws.com.cn',
  'aws-us-gov': 'https://iam.us-gov.amazonaws.com',
};

/** IAM has one endpoint for all regions of a partition. */
export function addressOfIam(region: string): string {
  return iamAddresses[partitionOf(region)];
}

/** The partition: the part of an ARN after `arn:`. */
export function partitionOf(region: string): keyof typeof iamAddresses {
  if (region.startsWith('cn-')) return 'aws-cn';
  return region.startsWith('us-gov-') ? 'aws-us-gov' : 'aws';
}
