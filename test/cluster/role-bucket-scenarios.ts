import { randomBytes } from 'node:crypto';
import { createDrivers } from '../../lib/capabilities/buckets/drivers/drivers.ts';
import { namespacesAnnotation } from '../../lib/capabilities/buckets/namespaces.ts';
import type { Bucket, BucketClass, BucketContent, Registration } from '../../lib/capabilities/buckets/objects.ts';
import type { Secret } from '../../lib/kubernetes/objects.ts';
import { resources } from '../../lib/kubernetes/resources.ts';
import { FakeStore } from '../support/fake-store.ts';
import { contentFor, untilBucketBound, untilSaid, userSecretOf } from './case-bucket-waits.ts';
import { type BucketPlan, planBucket, secretNamed } from './case-buckets.ts';
import type { Play, Scenario, Scene } from './role-play.ts';

/** One Bucket, its class and its driver, as users and administrators know them. */
interface BucketScene extends BucketPlan {
  driver: string;
  /** Makes the Bucket after its class. */
  ask(): Promise<Bucket>;
  registration(identity?: string): Registration;
}

interface Acting {
  hasDriver: boolean;
  maxReceives?: number;
  events: Readonly<Record<string, readonly ['bucket' | 'content' | 'registration', string]>>;
  act(play: Play, scene: BucketScene): Promise<void>;
}

function ofBucket({ hasDriver, maxReceives, events, act }: Acting): Scenario {
  const set: Scenario['set'] = async (client) => {
    const driver = `s3-${randomBytes(4).toString('hex')}.dev`;
    const plan = planBucket({ provisioner: driver, releasePolicy: 'Delete' });
    const { namespace, bucketClass } = plan;
    await client.createNamespace(namespace);
    let made = plan.bucket;
    const { apiVersion, kind } = resources.registration;
    const registration = (identity = '') => ({ apiVersion, kind, metadata: { name: driver }, spec: { identity } });
    const ask = async () => {
      await client.create(bucketClass);
      made = await client.create(plan.bucket);
      return made;
    };
    const owned = [namespace, driver];
    const objects: Record<string, () => Bucket | BucketContent | Registration> = {
      bucket: () => made,
      content: () => contentFor(made),
      registration,
    };
    const scene: Scene = {
      isAbout: (key) => owned.includes(key.namespace ?? key.name) || key.name.startsWith(bucketClass.metadata.name),
      object: (part) => objects[part]?.() ?? made,
      ...(hasDriver ? { provisioner: provisionerOf(driver) } : {}),
      ...(maxReceives === undefined ? {} : { maxReceives }),
      act: (play) => act(play, { ...plan, driver, ask, registration }),
    };
    return scene;
  };
  return { told: 'bucket', events, set };
}

function provisionerOf(name: string): NonNullable<Scene['provisioner']> {
  const { connect } = new FakeStore();
  const drivers = createDrivers([{ name, type: 's3', region: 'eu-central-1' }], { identity: 'test', connect });
  return { drivers, identity: 'test', worker: 'only' };
}

export const provisioned = ofBucket({
  hasDriver: true,
  events: {
    'bind-bucket': ['bucket', 'Bound'],
    'copy-secret': ['bucket', 'Copied'],
    'provision-bucket': ['content', 'Provisioned'],
  },
  act: async ({ client }, { ask }) => {
    const bucket = await untilBucketBound(client, await ask());
    const secret = await userSecretOf(client, bucket);
    await client.change(secret, { data: { BUCKET_NAME: null } });
    await userSecretOf(client, bucket, ({ data }: Secret) => data?.BUCKET_NAME === secret.data?.BUCKET_NAME);
    await client.delete(bucket);
    await client.untilGone(contentFor(bucket));
    await client.untilGone(bucket);
  },
});

/** Also with the content of a Bucket that is lost, which nobody but the provisioner takes away. */
export const undriven = ofBucket({
  hasDriver: false,
  events: {},
  act: async ({ client, resync }, { ask }) => {
    const bucket = await ask();
    const content = await client.until(contentFor(bucket));
    // Nothing tells of a driver that is not there but the next list.
    await resync();
    await untilSaid(client, bucket, 'DriverNotRegistered');
    const lost = await client.create(lostLike(content));
    await client.untilGone(lost);
    await client.delete(bucket);
    await client.untilGone(bucket);
  },
});

function lostLike({ apiVersion, kind, metadata, spec }: BucketContent): BucketContent {
  const { finalizers = [] } = metadata;
  const bucketRef = { ...spec.bucketRef, name: 'lost', uuid: `${spec.bucketRef.uuid}-lost` };
  return { apiVersion, kind, metadata: { name: `${metadata.name}-lost`, finalizers }, spec: { ...spec, bucketRef } };
}

/** A class that gives what is there to this one namespace. */
export const restricted = ofBucket({
  hasDriver: false,
  events: {},
  act: async ({ client }, { namespace, bucketClass, bucket }) => {
    const { apiVersion, kind, metadata } = bucketClass;
    const annotations = { [namespacesAnnotation]: namespace };
    const secretRef = { namespace, name: 'given' };
    await client.create({ apiVersion, kind, metadata: { ...metadata, annotations }, secretRef } as BucketClass);
    await client.create(secretNamed(namespace, 'given', { TOKEN: 'given' }));
    const made = await untilBucketBound(client, await client.create(bucket));
    await client.delete(made);
    await client.untilGone(made);
  },
});

export const nameTaken = ofBucket({
  hasDriver: true,
  maxReceives: 1,
  events: { 'register-driver': ['registration', 'DriverNameTaken'] },
  act: async ({ client }, { registration, bucketClass }) => {
    const theirs = await client.create(registration('stranger'));
    await client.create(bucketClass);
    await client.until<Registration>(theirs, ({ metadata }) => metadata.annotations !== undefined);
  },
});
