import type { ListedReason } from '../../../reconcile/obstacle.ts';

/** The reasons for refusing an event. Each is a dimension of a metric, so they are few. */
const refusals = {
  Malformed: { shown: 'dead letter', means: 'The event lacks a field, or has one with a value that cannot be.' },
  NotAllowed: { shown: 'dead letter', means: "The deployment's configuration does not allow the request." },
  Conflict: { shown: 'dead letter', means: 'The name belongs to someone else, or to another kind of thing.' },
  ClassUnfit: { shown: 'dead letter', means: 'The class that an adoption names cannot give access to the bucket.' },
  Rejected: { shown: 'dead letter', means: 'The API server rejects the object.' },
  GivenUp: { shown: 'dead letter', means: 'Each delivery failed.' },
} as const satisfies Record<string, ListedReason>;

/** The outcomes of events that are not refused. */
const outcomes = {
  Requested: { shown: 'log', means: 'The Bucket was created for this event.' },
  AsBefore: { shown: 'log', means: 'The Bucket exists as requested.' },
  Deleted: { shown: 'log', means: 'The Bucket is being deleted already.' },
  Absent: { shown: 'log', means: 'There is no Bucket to delete.' },
} as const satisfies Record<string, ListedReason>;

export type RefusalKind = keyof typeof refusals;
export type DoneReason = keyof typeof outcomes;
export type RequestReason = RefusalKind | DoneReason;

export const requestReasons: Readonly<Record<RequestReason, ListedReason>> = { ...refusals, ...outcomes };
