import { type BucketEvent, readEvent } from '../../../../../../lib/capabilities/buckets/requests/event.ts';
import type { BucketRequests } from '../../../../../../lib/capabilities/buckets/requests/permissions.ts';
import { Refusal } from '../../../../../../lib/capabilities/buckets/requests/refusal.ts';

/** The role that makes buckets for this deployment's own driver. */
export const driverRole = 'arn:aws:iam::111122223333:role/longshore-production-ProvisionBucketRole-EXAMPLE';

export const settings: BucketRequests = {
  permissions: {
    requests: [{ source: 'team.billing', clusters: ['main'], namespaces: ['team-*'], classes: ['fast', 'slow-*'] }],
    adoptions: [{ buckets: ['data-*'], cluster: 'main', namespace: 'team-a', bucketClass: 'existing' }],
  },
  deadLettersUrl: 'https://dead-letters',
  driverRole,
};

const detail = { action: 'create', cluster: 'main', namespace: 'team-a', name: 'reports', bucketClassName: 'fast' };
const end = { action: 'delete', cluster: 'main', namespace: 'team-a', name: 'reports' };

const envelope = {
  version: '0',
  id: 'event-1',
  'detail-type': 'Longshore Bucket Request',
  source: 'team.billing',
  account: '111122223333',
  time: '2026-11-18T14:55:00Z',
  region: 'eu-central-1',
  resources: [],
};

/** The body of a request for team-a/reports, with what is to be different. */
export function creating(different: object = {}, ofEnvelope: object = {}): string {
  return JSON.stringify({ ...envelope, ...ofEnvelope, detail: { ...detail, ...different } });
}

export function deleting(different: object = {}, ofEnvelope: object = {}): string {
  return JSON.stringify({ ...envelope, ...ofEnvelope, detail: { ...end, ...different } });
}

/** What CloudTrail tells of a new bucket. */
export function made(bucketName: unknown, different: object = {}, ofEnvelope: object = {}): string {
  return JSON.stringify({
    ...envelope,
    'detail-type': 'AWS API Call via CloudTrail',
    source: 'aws.s3',
    ...ofEnvelope,
    detail: {
      eventSource: 's3.amazonaws.com',
      eventName: 'CreateBucket',
      userIdentity: by('arn:aws:iam::111122223333:role/analyst'),
      requestParameters: { bucketName },
      ...different,
    },
  });
}

export function by(role: string) {
  return { type: 'AssumedRole', sessionContext: { sessionIssuer: { type: 'Role', arn: role } } };
}

/** Why something is refused, as one line. */
/** The event of a body; throws why it is refused. */
export function eventIn(body: string): BucketEvent {
  const { event } = readEvent(body);
  if (event instanceof Refusal) throw event;
  return event;
}

export function refusalIn(act: () => unknown): string {
  try {
    return `not refused: ${JSON.stringify(act())}`;
  } catch (error) {
    if (error instanceof Refusal) return `${error.kind}: ${error.message}`;
    throw error;
  }
}
