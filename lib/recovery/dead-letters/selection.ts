import type { DeadLetter } from './dead-letter.ts';
import type { KnownFunctions } from './known-functions.ts';
import { type Subject, subjectOf } from './subject.ts';

/** Selects dead letters. A missing field matches all. */
export interface Selection {
  cluster?: string | undefined;
  kind?: string | undefined;
  namespace?: string | undefined;
  name?: string | undefined;
  /** Became a dead letter before this time. */
  before?: Date | undefined;
}

/** An unreadable message has no cluster, kind or name. */
export function isSelected(deadLetter: DeadLetter, selection: Selection, functions: KnownFunctions): boolean {
  const { before, ...wanted } = selection;
  if (before && deadLetter.sentAt >= before) return false;
  const subject = subjectOf(deadLetter, functions);
  const named = namesOf(subject);
  return Object.entries(wanted).every(([field, value]) => value === undefined || named[field] === value);
}

function namesOf(subject: Subject): Record<string, string | undefined> {
  if (subject.type !== 'object' && subject.type !== 'request') return {};
  const { cluster, resource, key } = subject;
  return { cluster, kind: resource.kind, namespace: key.namespace, name: key.name };
}
