import { displayName, resources } from '../../../../kubernetes/resources.ts';
import type { Decision } from '../../../../reconcile/step.ts';
import { create, remove } from '../../../../reconcile/writes.ts';
import type { Measurement } from '../../../../runtime/metrics.ts';
import type { Bucket } from '../../objects.ts';
import type { BucketSpec, Sender } from '../../requests/event.ts';
import {
  accountAnnotation,
  requestAnnotation,
  sourceAnnotation,
  timeAnnotation,
} from '../../requests/request-names.ts';
import type { RequestedChange } from '../../requests/requested-change.ts';
import { classFor } from './adopt.ts';
import { done, marksOf, refuse } from './outcomes.ts';
import type { RequestWorld } from './read.ts';

const bucketPart = { slot: 'bucket', resource: resources.bucket } as const;

export function decide(requested: RequestedChange, world: RequestWorld): Decision<RequestWorld> {
  if (world.refused) {
    return refuse('Rejected', `the API server rejects the ${world.refused.slot}: ${world.refused.message}`);
  }
  if (requested.action === 'delete') return end(requested, world.bucket);
  if (requested.action === 'create') return ensure(requested, requested.spec, world.bucket);
  return adopt(requested, world);
}

/** The class comes first; but not for a Bucket that belongs to another sender already. */
function adopt(requested: RequestedChange & { action: 'adopt' }, world: RequestWorld): Decision<RequestWorld> {
  const { bucket } = world;
  if (bucket && !isTheirs(requested, bucket)) return taken(requested, bucket);
  const found = classFor(requested, world);
  if ('decision' in found) return found.decision;
  return ensure(requested, { bucketClassName: found.name, secretName: requested.secretName }, bucket);
}

function ensure(requested: RequestedChange, spec: BucketSpec, bucket: Bucket | undefined): Decision<RequestWorld> {
  if (!bucket) return begin(requested, spec);
  if (!isTheirs(requested, bucket)) return taken(requested, bucket);
  // It was created for this very event, whatever has happened to it since.
  if (bucket.metadata.annotations?.[requestAnnotation] === requested.sender.id) return done('Requested');
  const name = `Bucket ${displayName(bucket.metadata)}`;
  if (bucket.metadata.deletionTimestamp) {
    // Emptying it may take hours, for which the requests of all others would wait.
    return refuse(
      'Conflict',
      `${name} is still being deleted: send the request again when it is gone, or choose another name`,
    );
  }
  if (isSame(bucket.spec, spec)) return done('AsBefore');
  const message = `${name} already exists with another spec, which cannot be changed`;
  return refuse('Conflict', `${message}: choose another name`);
}

function begin(requested: RequestedChange, spec: BucketSpec): Decision<RequestWorld> {
  const { apiVersion, kind } = resources.bucket;
  const { namespace, name } = requested;
  const bucket: Bucket = {
    apiVersion,
    kind,
    metadata: { namespace, name, annotations: marksOf(requested.sender) },
    spec,
  };
  return create(bucketPart, bucket, counted(requested));
}

function end(requested: RequestedChange, bucket: Bucket | undefined): Decision<RequestWorld> {
  if (!bucket) return done('Absent');
  if (!isTheirs(requested, bucket)) return taken(requested, bucket);
  if (bucket.metadata.deletionTimestamp) return done('Deleted');
  return isOlder(requested, bucket) ? outdated(requested, bucket) : remove(bucketPart, bucket, counted(requested));
}

/**
 * The source alone does not suffice: anyone who may put events of any source could then take another account's Bucket.
 */
function isTheirs({ sender }: RequestedChange, { metadata: { annotations } }: Bucket): boolean {
  return annotations?.[sourceAnnotation] === sender.source && annotations?.[accountAnnotation] === sender.account;
}

/** A late or repeated event was about an earlier Bucket of that name. */
function isOlder({ sender }: RequestedChange, bucket: Bucket): boolean {
  return Date.parse(sender.time) < askedAt(bucket);
}

/** The clock of a sender may be fast by this much. */
const maxAheadMs = 5 * 60_000;

/** The sender's own time, limited by the Bucket's creation: with a time far ahead, no later request would be newer. */
function askedAt({ metadata }: Bucket): number {
  const madeAt = Date.parse(metadata.creationTimestamp ?? '');
  return Math.min(Date.parse(metadata.annotations?.[timeAnnotation] ?? ''), madeAt + maxAheadMs);
}

function outdated({ sender }: RequestedChange, bucket: Bucket): Decision<RequestWorld> {
  const { metadata } = bucket;
  const asked = new Date(askedAt(bucket)).toISOString();
  const message = `Bucket ${displayName(metadata)} was requested at ${asked}, after this request of ${sender.time} to delete it`;
  return refuse('Conflict', `${message}: it stays`);
}

function taken({ action, sender }: RequestedChange, { metadata }: Bucket): Decision<RequestWorld> {
  const advice = action === 'delete' ? 'its creator decides what happens to it' : 'choose another name';
  return refuse('Conflict', `Bucket ${displayName(metadata)} ${makerOf(metadata, sender)}: ${advice}`);
}

function makerOf({ annotations }: Bucket['metadata'], { source }: Sender): string {
  const maker = annotations?.[sourceAnnotation];
  if (maker === undefined) return 'was not created for an event';
  return maker === source ? 'was requested from another account' : `was requested by ${maker}, not by ${source}`;
}

function isSame(one: BucketSpec, other: BucketSpec): boolean {
  return (
    one.bucketClassName === other.bucketClassName &&
    one.secretName === other.secretName &&
    (one.bucketPrefix ?? '') === (other.bucketPrefix ?? '')
  );
}

function counted({ action }: RequestedChange): { measure: Measurement[] } {
  const dimensions = { Request: action };
  return { measure: [{ name: 'BucketRequestsAccepted', unit: 'Count', value: 1, dimensions }] };
}
