import type { Bucket, BucketClass, BucketContent, Registration } from '../../../../lib/capabilities/buckets/objects.ts';
import type { ObjectMeta, OwnerReference, Secret } from '../../../../lib/kubernetes/objects.ts';
import { reported } from '../../../support/ready.ts';

/** The Bucket prod/photos of class fast, and what is made for it, as the cluster looks after each write. Names are written out. */

export const now = new Date('2026-03-01T12:00:00Z');
export const later = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
export const before = (seconds: number) => later(-seconds).toISOString();

export const uid = '0f8fad5b-d9cb-469f-a165-70867728950e';
export const contentName = 'fast-c812e1edb64417d6090d';
export const storeName = 'photos-0f8fad5bd9cb469fa16570867728950e';
export const sourceName = 'bucket-3eaf58eb70ee239ff658';
export const finalizer = 'cosi.io/finalizer';
export const driver = 's3.example.com';
export const labels = { 'cosi.io/provisioner': driver };
export const deletionTimestamp = '2026-03-01T11:59:59Z';
export const deleting = { metadata: { deletionTimestamp } };

const apiVersion = 'cosi.io/v1alpha1';

export interface Overrides<Kind extends { spec: object; status?: unknown }> {
  metadata?: Partial<ObjectMeta>;
  spec?: Partial<Kind['spec']>;
  status?: Kind['status'] | undefined;
}

export function bucket({ metadata, spec, status }: Overrides<Bucket> = {}): Bucket {
  const held = { finalizers: [finalizer], labels };
  return reported({
    apiVersion,
    kind: 'Bucket',
    metadata: { namespace: 'prod', name: 'photos', uid, resourceVersion: '1', generation: 1, ...held, ...metadata },
    spec: { bucketPrefix: 'photos-', bucketClassName: 'fast', secretName: 'photos-access', ...spec },
    ...(status ? { status } : {}),
  });
}

/** As the user made it. */
export const fresh = ({ finalizers: _, labels: __, ...metadata }: ObjectMeta): Bucket => ({ ...bucket(), metadata });
export const asked = fresh(bucket().metadata);

export function bucketClass(fields: Partial<BucketClass> = {}): BucketClass {
  const metadata = { name: 'fast', uid: 'uid-class', resourceVersion: '1' };
  return { apiVersion, kind: 'BucketClass', metadata, provisioner: driver, releasePolicy: 'Delete', ...fields };
}

const administrators = { namespace: 'vault', name: 'shared' };
export const classes = {
  Greenfield: bucketClass(),
  Brownfield: bucketClass({ bucketIdentifier: 'archive', releasePolicy: 'Retain' }),
  Static: (({ provisioner: _, ...fields }) => fields)(
    bucketClass({ secretRef: administrators, releasePolicy: 'Retain' }),
  ),
};

type ContentStatus = NonNullable<BucketContent['status']>;
const bucketRef = { namespace: 'prod', name: 'photos', uuid: uid, resourceVersion: '1' };
const common = { bucketClassName: 'fast', bucketRef };
const ofDriver = { ...common, provisioner: driver };
const specs: Record<BucketContent['spec']['flow'], BucketContent['spec']> = {
  Greenfield: { ...ofDriver, flow: 'Greenfield', releasePolicy: 'Delete', bucketIdentifier: storeName },
  Brownfield: { ...ofDriver, flow: 'Brownfield', releasePolicy: 'Retain', bucketIdentifier: 'archive' },
  Static: { ...common, flow: 'Static', releasePolicy: 'Retain', secretRef: administrators },
};

export function content({ metadata, spec, status }: Overrides<BucketContent> = {}): BucketContent {
  const ofFlow = specs[spec?.flow ?? 'Greenfield'];
  const held = { finalizers: [finalizer], labels: ofFlow.provisioner ? labels : {} };
  return reported({
    apiVersion,
    kind: 'BucketContent',
    metadata: { name: contentName, uid: 'uid-content', resourceVersion: '1', generation: 1, ...held, ...metadata },
    spec: { ...ofFlow, ...spec },
    ...(status ? { status } : {}),
  });
}

export const provisioned = (type: 'True' | 'False', reason: string, message = '') => ({
  type: 'Provisioned',
  status: type,
  reason,
  message,
  observedGeneration: 1,
  lastTransitionTime: deletionTimestamp,
});
export const said = (type: 'Bound' | 'SecretReady', reason: string, at = deletionTimestamp, isTrue = false) => {
  const status = isTrue ? ('True' as const) : ('False' as const);
  return { type, status, reason, message: reason, observedGeneration: 1, lastTransitionTime: at };
};
export const copied = said('SecretReady', 'Copied', deletionTimestamp, true);

export const startedAt = '2026-03-01T11:58:00.000Z';
export const lease = (seconds: number, holder = 'worker-1') => ({ holder, until: later(seconds).toISOString() });
/** The content with the lease just taken. */
export const leased = (overrides: Overrides<BucketContent> = {}, status: ContentStatus = {}) =>
  content({ ...overrides, status: { startedAt, lease: lease(60), ...status } });
export const sourceRef = { namespace: 'longshore-system', name: sourceName };
export const ready = (overrides: Overrides<BucketContent> = {}) =>
  content({
    status: { phase: 'Ready', startedAt, message: 'there', conditions: [provisioned('True', 'Provisioned')] },
    ...overrides,
    spec: { secretRef: sourceRef, ...overrides.spec },
  });

export const registration = (identity = 'deployment-1', metadata: Partial<ObjectMeta> = {}): Registration => ({
  apiVersion,
  kind: 'COSIRegistration',
  metadata: { name: driver, uid: 'uid-registration', resourceVersion: '1', labels, ...metadata },
  spec: { identity, supportedProtocols: ['s3'] },
});

export const encoded = (values: Record<string, string>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Buffer.from(value).toString('base64')]));
/** All that a driver gives. */
export const data = encoded({
  AWS_ACCESS_KEY_ID: 'id',
  AWS_SECRET_ACCESS_KEY: 'hush',
  AWS_REGION: 'eu-central-1',
  AWS_ENDPOINT_URL_S3: 'https://s3.example.com',
  BUCKET_NAME: storeName,
  BUCKET_HOST: 's3.example.com',
  BUCKET_PORT: '443',
  BUCKET_REGION: 'eu-central-1',
  COSI_PROTOCOL: 's3',
  BucketInfo: '{}',
});

function secret(metadata: ObjectMeta, values?: Secret['data']): Secret {
  const withData = values ? { data: values } : {};
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { resourceVersion: '1', ...metadata },
    type: 'Opaque',
    ...withData,
  };
}

export const ownedBy = (kind: 'Bucket' | 'BucketContent'): OwnerReference => {
  const [name, owner] = kind === 'Bucket' ? ['photos', uid] : [contentName, 'uid-content'];
  return { apiVersion, kind, name, uid: owner, controller: true };
};

/** Where the driver's credentials are. */
export const source = (values?: Secret['data'], metadata: Partial<ObjectMeta> = {}) =>
  secret({ ...sourceRef, uid: 'uid-from', labels, ownerReferences: [ownedBy('BucketContent')], ...metadata }, values);
export const administratorsSecret = secret({ ...administrators, uid: 'uid-vault' }, data);
/** What the workload reads. */
export const target = (values: Secret['data'] = data, metadata: Partial<ObjectMeta> = {}) => {
  const marks = { labels, annotations: { 'longshore.dev/bucket': uid }, ownerReferences: [ownedBy('Bucket')] };
  return secret({ namespace: 'prod', name: 'photos-access', uid: 'uid-to', ...marks, ...metadata }, values);
};
