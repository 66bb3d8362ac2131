import type { KnownFunctions } from './functions.ts';
import type { Letter } from './letter.ts';
import { type Subject, subjectOf } from './subject.ts';

/** Which letters somebody means. What is not said is not asked for. */
export interface Selection {
  cluster?: string | undefined;
  kind?: string | undefined;
  namespace?: string | undefined;
  name?: string | undefined;
  /** They were dead letters before. */
  before?: Date | undefined;
}

/** What cannot be read is of no cluster, kind or name. */
export function isSelected(letter: Letter, selection: Selection, functions: KnownFunctions): boolean {
  const { before, ...wanted } = selection;
  if (before && letter.sentAt >= before) return false;
  const subject = subjectOf(letter, functions);
  const named = namesOf(subject);
  return Object.entries(wanted).every(([field, value]) => value === undefined || named[field] === value);
}

function namesOf(subject: Subject): Record<string, string | undefined> {
  if (subject.type !== 'object' && subject.type !== 'request') return {};
  const { cluster, resource, key } = subject;
  return { cluster, kind: resource.kind, namespace: key.namespace, name: key.name };
}
