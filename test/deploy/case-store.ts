import { randomUUID } from 'node:crypto';
import { IAMClient } from '@aws-sdk/client-iam';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import type {
  Driver,
  GrantAccessOutcome,
  GrantAccessRequest,
  Parameters,
  RevokeAccessRequest,
} from '../../lib/capabilities/buckets/drivers/driver.ts';
import { createDrivers } from '../../lib/capabilities/buckets/drivers/drivers.ts';
import { deployedStack } from '../support/deployed-stack.ts';
import { patient } from '../support/patience.ts';

/** The local AWS as a store, with an administrator's clients beside the driver. */
export function realStore() {
  const { settings } = deployedStack();
  const { endpoint, region, credentials } = settings;
  return {
    driver: theDriver(),
    s3: new S3Client({ ...settings, forcePathStyle: true }),
    iam: new IAMClient(settings),
    parameters: { endpoint, region, driverSecretName: 'administrator' },
    secrets: { AWS_ACCESS_KEY_ID: credentials.accessKeyId, AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey },
  };
}

export type RealStore = ReturnType<typeof realStore>;

function theDriver(): Driver {
  const driver = createDrivers([{ name: 's3.example.com', type: 's3' }], { identity: 'test' }).get('s3.example.com');
  if (!driver) throw new Error('there is no driver');
  return driver;
}

/** What is said about a consumer in each request. */
export type Consumer = RevokeAccessRequest & Pick<GrantAccessRequest, 'requester'>;

/** A consumer that nobody else is. */
export function consumerOf({ parameters, secrets }: RealStore, also: Parameters = {}): Consumer {
  const owner = randomUUID();
  const name = owner.replaceAll('-', '');
  const requester = { namespace: 'team-a', name: 'photos' };
  const deadline = Date.now() + patient(600_000);
  const place = { bucket: `photos-${name}`, parameters: { ...parameters, ...also }, secrets };
  return { ...place, owner, cluster: 'main', deadline, requester };
}

export function granting(consumer: Consumer, also: Partial<GrantAccessRequest> = {}): GrantAccessRequest {
  return { ...consumer, flow: 'Greenfield', mode: 'rw', held: {}, ...also };
}

export function credentialsOf(outcome: GrantAccessOutcome): Parameters {
  if (outcome.result !== 'granted' || !outcome.credentials) throw new Error(`not granted: ${JSON.stringify(outcome)}`);
  return outcome.credentials;
}

/** A client such as an application makes, of nothing but what its Secret says. */
export function clientWith(credentials: Parameters): S3Client {
  const { AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '', AWS_REGION = '', AWS_ENDPOINT_URL_S3 = '' } = credentials;
  const keys = { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY };
  return new S3Client({
    region: AWS_REGION,
    endpoint: AWS_ENDPOINT_URL_S3,
    credentials: keys,
    forcePathStyle: true,
    maxAttempts: 1,
  });
}

const attempts = {
  put: (client: S3Client, Bucket: string) => client.send(new PutObjectCommand({ Bucket, Key: 'other', Body: 'x' })),
  get: (client: S3Client, Bucket: string) => client.send(new GetObjectCommand({ Bucket, Key: 'there' })),
  list: (client: S3Client, Bucket: string) => client.send(new ListObjectsV2Command({ Bucket })),
  delete: (client: S3Client, Bucket: string) => client.send(new DeleteObjectCommand({ Bucket, Key: 'other' })),
  deleteVersion: (client: S3Client, Bucket: string) =>
    client.send(new DeleteObjectCommand({ Bucket, Key: 'there', VersionId: 'null' })),
};

export type Attempt = keyof typeof attempts;

/** What of all that a consumer could try succeeds. */
export async function permitted(credentials: Parameters, bucket: string): Promise<Attempt[]> {
  const client = clientWith(credentials);
  const succeeded: Attempt[] = [];
  try {
    for (const name of Object.keys(attempts) as Attempt[]) {
      if (await isPermitted(attempts[name](client, bucket))) succeeded.push(name);
    }
  } finally {
    client.destroy();
  }
  return succeeded;
}

const refusals = ['AccessDenied', 'InvalidAccessKeyId'];

async function isPermitted(attempt: Promise<unknown>): Promise<boolean> {
  try {
    await attempt;
    return true;
  } catch (error) {
    if (error instanceof Error && refusals.includes(error.name)) return false;
    throw error;
  }
}
