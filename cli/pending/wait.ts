import type { Condition } from '../../lib/kubernetes/objects.ts';

/** Something that waits. */
export interface Wait {
  /** `you`, another namespace, an administrator, or nobody where it goes on by itself. */
  waitsFor: { is: 'you' } | { is: 'namespace'; name: string } | { is: 'administrator' } | { is: 'nobody' };
  /** As kubectl takes it, such as `streq/move`. */
  object: string;
  namespace: string;
  since: string;
  reason: string;
  message: string;
  /** What whoever it waits for types next. */
  command: readonly string[];
}

export interface Said {
  reason: string;
  message: string;
  since: string;
}

export const unsaid = { reason: 'NotReported', message: 'nothing has been reported about it yet' } as const;

export function saidBy(
  { creationTimestamp = '' }: { creationTimestamp?: string },
  condition: Condition | undefined,
): Said {
  if (!condition) return { ...unsaid, since: creationTimestamp };
  const { reason, message, lastTransitionTime: since } = condition;
  return { reason, message, since };
}

export function describeWords(object: string, namespace: string): string[] {
  return ['kubectl', 'describe', object, '-n', namespace];
}

export function partyOf(wait: Wait): string {
  const { waitsFor } = wait;
  switch (waitsFor.is) {
    case 'namespace':
      return `namespace ${waitsFor.name}`;
    case 'administrator':
      return 'an administrator';
    default:
      return waitsFor.is;
  }
}
