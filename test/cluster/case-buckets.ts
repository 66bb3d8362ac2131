import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { createDrivers } from '../../lib/capabilities/buckets/drivers/drivers.ts';
import type { Bucket, BucketClass } from '../../lib/capabilities/buckets/objects.ts';
import { resources } from '../../lib/kubernetes/resources.ts';
import type { ClusterClient } from '../support/cluster-client.ts';
import { FakeStore } from '../support/fake-store.ts';
import { type InProcess, type InProcessOptions, runInProcess } from '../support/in-process.ts';
import { testKubeconfig } from './administrator.ts';

/** Longshore in this process with drivers of its own, for as long as the tests of a file run. */
export interface BucketLongshore {
  readonly store: FakeStore;
  /** Names that no other file's drivers have: a cluster has one deployment for each. */
  readonly driver: string;
  readonly sharedKeysDriver: string;
  /** One for which nobody says where its buckets are, unless the class does. */
  readonly nowhereDriver: string;
  /** The log since the last start. */
  log(): string[];
  /** The number of objects that the forwarder sends again each minute. */
  unfinished(): number;
  /** A new forwarder lists everything: what waits for something that is not watched goes on then. */
  resync(): Promise<void>;
  /** What happens while Longshore is not there. */
  away(act: () => Promise<void>): Promise<void>;
  /** Lets the handlers see a later time until the test is over; what rests goes on at the next list. */
  passTime(milliseconds: number): void;
}

interface Options extends Pick<InProcessOptions, 'accountOf' | 'givesUpAfter'> {
  kubeconfig?: () => string;
}

export function runBuckets({ kubeconfig = testKubeconfig, ...options }: Options = {}): BucketLongshore {
  const suffix = randomBytes(4).toString('hex');
  const [identity, driver, sharedKeysDriver] = [`test-${suffix}`, `s3-${suffix}.dev`, `shared-${suffix}.dev`] as const;
  const nowhereDriver = `nowhere-${suffix}.dev`;
  const store = new FakeStore();
  let ahead = 0;
  const clock = () => Date.now() + ahead;
  const drivers = createDrivers(
    [
      { name: driver, type: 's3', region: 'eu-central-1' },
      { name: sharedKeysDriver, type: 'shared-keys', region: 'eu-central-1' },
      { name: nowhereDriver, type: 's3' },
    ],
    { identity, clock, connect: store.connect },
  );
  const provisioner = { drivers, identity, worker: 'only' };
  let running: InProcess | undefined;
  const start = async () => {
    running = await runInProcess(kubeconfig(), { ...options, provisioner, now: () => new Date(clock()) });
  };
  beforeAll(start);
  afterEach(() => {
    ahead = 0;
  });
  afterAll(() => running?.stop());
  const away = async (act: () => Promise<void>) => {
    await running?.stop();
    await act();
    await start();
  };
  const passTime = (milliseconds: number) => {
    ahead += milliseconds;
  };
  return {
    store,
    driver,
    sharedKeysDriver,
    nowhereDriver,
    log: () => running?.log ?? [],
    unfinished: () => running?.unfinished() ?? Number.POSITIVE_INFINITY,
    resync: () => away(async () => {}),
    away,
    passTime,
  };
}

/** A Bucket in a namespace of its own and its class, under names that no other test uses. Nothing is made. */
export function planBucket(fields: Partial<BucketClass>, spec: Partial<Bucket['spec']> = {}) {
  const suffix = randomBytes(4).toString('hex');
  const [namespace, className] = [`team-${suffix}`, `class-${suffix}`] as const;
  const { bucket, bucketClass } = resources;
  const ofClass: BucketClass = {
    ...{ apiVersion: bucketClass.apiVersion, kind: bucketClass.kind, metadata: { name: className } },
    ...fields,
  };
  const ofBucket: Bucket = {
    ...{ apiVersion: bucket.apiVersion, kind: bucket.kind, metadata: { namespace, name: 'photos' } },
    spec: { bucketClassName: className, secretName: 'photos-access', ...spec },
  };
  return { namespace, bucketClass: ofClass, bucket: ofBucket };
}

export type BucketPlan = ReturnType<typeof planBucket>;

/** The namespace and the class, and then the Bucket as its user makes it. */
export async function makeBucket(client: ClusterClient, { namespace, bucketClass, bucket }: BucketPlan) {
  await client.createNamespace(namespace);
  await client.create(bucketClass);
  return client.create(bucket);
}

/** The Bucket before its class: what is named after its uid can be known before anything is made of it. */
export async function makeBucketFirst(client: ClusterClient, { namespace, bucket }: BucketPlan): Promise<Bucket> {
  await client.createNamespace(namespace);
  return client.create(bucket);
}

export function secretNamed(namespace: string, name: string, values: Record<string, string> = {}) {
  return { apiVersion: 'v1', kind: 'Secret' as const, metadata: { namespace, name }, stringData: values };
}

/** The Secret that a class of a store without users names, and the parameter that names it. */
export async function makeSharedKeys(client: ClusterClient) {
  const driverSecretName = `store-${randomBytes(4).toString('hex')}`;
  const consumer = { CONSUMER_ACCESS_KEY_ID: 'shared', CONSUMER_SECRET_ACCESS_KEY: 'for-all' };
  const keys = { AWS_ACCESS_KEY_ID: 'admin', AWS_SECRET_ACCESS_KEY: 'for-longshore', ...consumer };
  await client.create(secretNamed('longshore-system', driverSecretName, keys));
  return { driverSecretName };
}
