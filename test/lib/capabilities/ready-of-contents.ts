import type { DeleteBucketOutcome } from '../../../lib/capabilities/buckets/drivers/driver.ts';
import type { BucketContent } from '../../../lib/capabilities/buckets/objects.ts';
import { decide as bind } from '../../../lib/capabilities/buckets/steps/bind-bucket/decide.ts';
import { decide, decideFailed } from '../../../lib/capabilities/buckets/steps/provision-bucket/decide.ts';
import type { ProvisioningWorld } from '../../../lib/capabilities/buckets/steps/provision-bucket/world.ts';
import * as stage from './buckets/bucket-stages.ts';
import { settle } from './buckets/bucket-table.ts';
import {
  atWork,
  base,
  created,
  going,
  goingAtWork,
  granted,
  revoked,
  wanted,
} from './buckets/steps/provision-bucket/world.ts';
import type { Row } from './ready-of-buckets.ts';

const { content, startedAt, storeName } = stage;
const after = (world: ProvisioningWorld) => settle(decide, world).world.content;
const refusedBy = (result: 'invalid' | 'taken' | 'missing' | 'denied' | 'unavailable') =>
  after({ ...atWork(), created: { result, message: 'so says the store' } });
const deletion = (deleted: DeleteBucketOutcome, more: Partial<ProvisioningWorld> = {}) =>
  after({ ...goingAtWork(), revoked, deleted, ...more });
const guest = content({
  metadata: { name: 'guest', uid: 'uid-guest' },
  spec: {
    flow: 'Brownfield',
    bucketIdentifier: storeName,
    bucketRef: { namespace: 'team', name: 'guest', uuid: 'uid-other' },
  },
  status: { phase: 'Bound', startedAt },
});
const joining: ProvisioningWorld = {
  ...wanted({}, 'Brownfield'),
  content: content({ spec: { flow: 'Brownfield', bucketIdentifier: storeName }, status: {} }),
  namesakes: [goingAtWork().content as BucketContent],
};
const byOther = { startedAt, startedBy: 'deployment-2' };
const parameters = { driverSecretName: 'store' };
const bound = stage.ready({ status: { phase: 'Bound', startedAt } });
const ofStatic = content({ spec: { flow: 'Static' } });
const staticFor = (conditions: Parameters<typeof stage.bucket>[0]) =>
  settle(bind, { bucket: stage.bucket(conditions), content: ofStatic }).world.content;
const released = settle(bind, {
  bucket: stage.bucket(stage.deleting),
  content: content({ metadata: { ...stage.deleting.metadata }, spec: { flow: 'Static' }, status: { phase: 'Bound' } }),
}).world.content;

export const ofContents: readonly Row[] = [
  ['Provisioning', 'the driver works', after(wanted()), 'InProgress'],
  [
    'DriverNotRegistered',
    'its driver is not registered',
    after({ ...wanted(), registration: undefined }),
    'InProgress',
  ],
  ['StartedElsewhere', 'another deployment has begun', after(wanted(byOther)), 'InProgress'],
  [
    'DriverSecretMissing',
    'the keys for its driver are missing',
    after({ ...base, content: stage.leased({ spec: { parameters } }) }),
    'InProgress',
  ],
  ['Invalid', 'its parameters can never work', after({ ...wanted(), problems: ['no'] }), 'Failed'],
  ['Invalid', 'the store says so', refusedBy('invalid'), 'Failed'],
  [
    'NameTaken',
    'its Secret is another one’s',
    after({ ...wanted(), secret: stage.source({}, { ownerReferences: [] }) }),
    'Failed',
  ],
  ['NameTaken', 'its bucket is another one’s', refusedBy('taken'), 'Failed'],
  ['NotFound', 'there is no bucket', refusedBy('missing'), 'Failed'],
  ['AccessDenied', 'the driver may not', refusedBy('denied'), 'InProgress'],
  ['StoreUnavailable', 'the store is down', refusedBy('unavailable'), 'InProgress'],
  ['BucketGoing', 'its bucket is being deleted', after(joining), 'InProgress'],
  ['CredentialsLost', 'its Secret is gone', after({ ...base, content: bound }), 'InProgress'],
  [
    'Failed',
    'it was given up',
    settle<ProvisioningWorld>((world, at) => decideFailed(world, 'no answer', at), wanted()).world.content,
    'Failed',
  ],
  ['BucketLost', 'its Bucket is gone', after({ ...base, content: bound, bucket: undefined }), 'Failed'],
  ['Provisioned', 'its Bucket can use it', after({ ...atWork(), created, granted, secret: stage.source() }), 'Current'],
  ['Provisioned', 'an administrator has made everything', staticFor({}), 'Current'],
  ['Provisioned', 'so it is, and its Bucket uses it', staticFor({ status: { conditions: [stage.copied] } }), 'Current'],
  ['InUse', 'it was deleted, and is in use', after({ ...going({}), bucket: stage.bucket() }), 'Terminating'],
  [
    'DriverNotConfigured',
    'nobody can release it',
    after({ ...going({}), problems: undefined, registration: undefined }),
    'Terminating',
  ],
  ['NotEmpty', 'its bucket must not be emptied', deletion({ result: 'occupied', message: 'full' }), 'Terminating'],
  ['Emptying', 'its bucket is emptied', deletion({ result: 'emptying', removed: 7 }), 'Terminating'],
  [
    'SharedWithOthers',
    'others use its bucket',
    after({ ...goingAtWork(), revoked, namesakes: [guest] }),
    'Terminating',
  ],
  ['Released', 'its bucket is gone', deletion({ result: 'deleted' }), 'Terminating'],
  ['Released', 'an administrator has made everything', released, 'Terminating'],
];
