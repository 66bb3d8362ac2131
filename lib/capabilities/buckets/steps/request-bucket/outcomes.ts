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

/** What is made for an event says for which. */
export function marksOf({ source, account, id, time }: Sender): Record<string, string> {
  return {
    [sourceAnnotation]: source,
    [accountAnnotation]: account,
    [requestAnnotation]: id,
    [timeAnnotation]: time,
  };
}
