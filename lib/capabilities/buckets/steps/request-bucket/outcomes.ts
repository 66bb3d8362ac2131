import type { Decision } from '../../../../reconcile/step.ts';
import type { Sender } from '../../requests/event.ts';
import type { RefusalKind } from '../../requests/refusal.ts';
import {
  accountAnnotation,
  requestAnnotation,
  sourceAnnotation,
  timeAnnotation,
} from '../../requests/request-names.ts';
import type { RequestWorld } from './read.ts';

export type DoneReason = 'Absent' | 'AsBefore' | 'Deleted' | 'Requested';

export function done(reason: DoneReason): Decision<RequestWorld> {
  return { do: 'done', reason };
}

export function refuse(kind: RefusalKind, message: string): Decision<RequestWorld> {
  return { do: 'reject', reason: kind, message };
}

/** What is made for an event says for which. */
export function marksOf({ source, account, id, time }: Sender): Record<string, string> {
  return {
    [sourceAnnotation]: source,
    [accountAnnotation]: account,
    [requestAnnotation]: id,
    [timeAnnotation]: time,
  };
}
