import type { Examined } from './examine.ts';
import { shown } from './text.ts';

const maxBodyLength = 1_000;

/** A dead letter for programs. */
export function documentOf({ deadLetter, subject, diagnosis, firstFailure, lastFailure, error }: Examined) {
  const isUnreadable = subject.type === 'unreadable';
  return {
    function: deadLetter.function,
    messageId: deadLetter.messageId,
    ...objectOf(subject),
    sent: deadLetter.sentAt.toISOString(),
    firstFailure: firstFailure?.toISOString() ?? null,
    lastFailure: lastFailure?.toISOString() ?? null,
    deliveries: deadLetter.deliveries,
    error: error ? shown(error.text) : null,
    errorFrom: error?.from ?? null,
    state: diagnosis.state,
    detail: shown(diagnosis.detail),
    object: diagnosis.objectStatus === undefined ? null : shown(diagnosis.objectStatus),
    ...(isUnreadable ? { body: shown(deadLetter.body, maxBodyLength) } : {}),
  };
}

function objectOf(subject: Examined['subject']) {
  if (subject.type === 'unreadable' || subject.type === 'event') return {};
  const { cluster, resource, key } = subject;
  return { cluster, kind: resource.kind, namespace: key.namespace ?? null, name: key.name };
}
