import { reject } from '../../../../reconcile/obstacle.ts';
import type { Decision } from '../../../../reconcile/step.ts';
import type { Sender } from '../../requests/event.ts';
import type { DoneReason, RefusalKind } from '../../requests/reasons.ts';
import {
  accountAnnotation,
  requestAnnotation,
  sourceAnnotation,
  timeAnnotation,
} from '../../requests/request-names.ts';
import type { RequestWorld } from './read.ts';

export function done(reason: DoneReason): Decision<RequestWorld> {
  return { do: 'done', reason };
}

export function refuse(kind: RefusalKind, message: string): Decision<RequestWorld> {
  return reject(kind, message);
}

/** The marks on an object that name the event for which it was created. */
export function marksOf({ source, account, id, time }: Sender): Record<string, string> {
  return {
    [sourceAnnotation]: source,
    [accountAnnotation]: account,
    [requestAnnotation]: id,
    [timeAnnotation]: time,
  };
}
