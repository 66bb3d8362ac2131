import { printableJson } from '../printable.ts';
import type { Examined } from './examine.ts';
import { shown } from './text.ts';

const maxBodyLength = 1_000;

/** A letter as a line of JSON, for programs. */
export function lineOf({ letter, subject, finding, firstFailure, lastFailure, error }: Examined): string {
  const isUnreadable = subject.type === 'unreadable';
  return printableJson({
    function: letter.function,
    messageId: letter.messageId,
    ...objectOf(subject),
    sent: letter.sentAt.toISOString(),
    firstFailure: firstFailure?.toISOString() ?? null,
    lastFailure: lastFailure?.toISOString() ?? null,
    deliveries: letter.deliveries,
    error: error ? shown(error.text) : null,
    errorFrom: error?.from ?? null,
    state: finding.state,
    detail: shown(finding.detail),
    object: finding.said === undefined ? null : shown(finding.said),
    ...(isUnreadable ? { body: shown(letter.body, maxBodyLength) } : {}),
  });
}

function objectOf(subject: Examined['subject']) {
  if (subject.type === 'unreadable' || subject.type === 'event') return {};
  const { cluster, resource, key } = subject;
  return { cluster, kind: resource.kind, namespace: key.namespace ?? null, name: key.name };
}
