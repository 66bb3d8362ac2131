import { type Fields, type Origin, originIn, readObject } from '../../../queue/envelope.ts';
import { quoted } from '../../../runtime/quoted.ts';
import type { Bucket } from '../objects.ts';
import { type BucketDetail, parseDetail } from './event-detail.ts';
import { Refusal } from './refusal.ts';

/** The origin of an event, from EventBridge: a caller of PutEvents chooses only the source. */
export interface Sender {
  source: string;
  account: string;
  id: string;
  /** The time of the event, according to the sender. */
  time: string;
}

export type BucketSpec = Bucket['spec'];

export type BucketEvent = Request | Creation | Other;

/** A request to create or delete a Bucket. */
export type Request = BucketDetail & { sender: Sender };

/** Someone created a bucket in the store. */
export interface Creation {
  action: 'adopt';
  sender: Sender;
  bucket: string;
  /** The role that created it; undefined for a user, or the account itself. */
  role: string | undefined;
}

/** An event that matches a rule but is irrelevant here. */
interface Other {
  action: 'none';
  sender: Sender;
  reason: string;
}

export const requestType = 'Longshore Bucket Request';
const cloudTrailType = 'AWS API Call via CloudTrail';

/** The body of an EventBridge message, parsed once: its origin, and its request or the reason for refusing it. */
export interface EventEnvelope {
  origin: Origin;
  event: BucketEvent | Refusal;
}

/** Reads any body. */
export function readEvent(body: string): EventEnvelope {
  const { fields, flaw } = readObject(body);
  const origin = originIn(fields);
  if (flaw === undefined) return { origin, event: eventIn(fields) };
  return { origin, event: new Refusal('Malformed', `${flaw}: only EventBridge may write to this queue`) };
}

function eventIn(fields: Fields): BucketEvent | Refusal {
  try {
    return parseEvent(fields);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/** Parses an event as EventBridge sends it to a queue. */
function parseEvent(event: Fields): BucketEvent {
  const sender = {
    source: text(event, 'source'),
    account: text(event, 'account'),
    id: text(event, 'id'),
    time: timeOf(text(event, 'time')),
  };
  const type = text(event, 'detail-type');
  const detail = fieldsOf(event.detail);
  if (!detail) throw new Refusal('Malformed', 'detail is not a JSON object');
  if (type === requestType) return { ...parseDetail(detail), sender };
  if (type === cloudTrailType && sender.source === 'aws.s3') return creationIn(detail, sender);
  throw new Refusal(
    'Malformed',
    `detail-type ${quoted(type)} from ${quoted(sender.source)} is unknown: it must be ${quoted(requestType)}`,
  );
}

function text(event: Fields, field: string): string {
  const value = event[field];
  if (typeof value === 'string' && value !== '') return value;
  throw new Refusal('Malformed', `${field} is missing or not a string, though EventBridge sets it in every event`);
}

function timeOf(value: string): string {
  const time = Date.parse(value);
  if (Number.isNaN(time)) throw new Refusal('Malformed', `time is ${quoted(value)}, which is not a time`);
  return new Date(time).toISOString();
}

/** CloudTrail also reports failed calls. */
function creationIn(detail: Fields, sender: Sender): Creation | Other {
  const isCreation = detail.eventSource === 's3.amazonaws.com' && detail.eventName === 'CreateBucket';
  if (!isCreation) return { action: 'none', sender, reason: 'it does not report a CreateBucket call' };
  if (detail.errorCode !== undefined) return { action: 'none', sender, reason: 'the bucket was not created' };
  const bucket = fieldsOf(detail.requestParameters)?.bucketName;
  if (typeof bucket !== 'string') {
    throw new Refusal('Malformed', 'detail.requestParameters.bucketName, which CloudTrail writes, is missing');
  }
  const session = fieldsOf(fieldsOf(detail.userIdentity)?.sessionContext);
  const role = fieldsOf(session?.sessionIssuer)?.arn;
  return { action: 'adopt', sender, bucket, role: typeof role === 'string' ? role : undefined };
}

function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}
