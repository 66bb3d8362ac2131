import { type DeadLetter, idsOf } from '../../lib/recovery/dead-letters/dead-letter.ts';
import { type Diagnosis, type DiagnosisContext, diagnose } from '../../lib/recovery/dead-letters/diagnose.ts';
import { bucketKeyOf } from '../../lib/recovery/dead-letters/foreseen-buckets.ts';
import { type Subject, subjectOf } from '../../lib/recovery/dead-letters/subject.ts';
import { failuresOf, type Logged } from './logs.ts';

/** A dead letter, and all that could be determined about it. */
export interface Examined {
  deadLetter: DeadLetter;
  subject: Subject;
  diagnosis: Diagnosis;
  firstFailure: Date | undefined;
  lastFailure: Date | undefined;
  error: { text: string; from: 'reason' | 'log' | 'message' } | undefined;
}

/** Objects read at a time. */
const maxConcurrent = 8;

export async function examineAll(
  deadLetters: readonly DeadLetter[],
  context: DiagnosisContext,
  logged: Logged,
): Promise<Examined[]> {
  const diagnoses = await diagnosesOf(deadLetters, context);
  return deadLetters.map((deadLetter) => {
    const subject = subjectOf(deadLetter, context.functions);
    const failures = failuresOf(deadLetter, logged);
    // A refused request came here when it failed.
    const refusedAt = deadLetter.reason === undefined ? undefined : deadLetter.sentAt;
    return {
      deadLetter,
      subject,
      diagnosis: diagnoses.get(diagnosisKeyOf(deadLetter, subject)) ?? {
        state: 'unknown',
        detail: 'it was not looked at',
      },
      firstFailure: refusedAt ?? failures?.first ?? deadLetter.firstDeliveredAt,
      lastFailure: refusedAt ?? failures?.last,
      error: errorOf(deadLetter, subject, failures?.error),
    };
  });
}

function errorOf({ reason }: DeadLetter, subject: Subject, logged: string | undefined): Examined['error'] {
  if (reason !== undefined) return { text: reason, from: 'reason' };
  if (logged !== undefined) return { text: logged, from: 'log' };
  return subject.type === 'unreadable' ? { text: subject.problem, from: 'message' } : undefined;
}

/** Reads each object once, however many dead letters there are about it. Requests about one Bucket are diagnosed in order. */
export async function diagnosesOf(deadLetters: readonly DeadLetter[], context: DiagnosisContext) {
  const diagnoses = new Map<string, Diagnosis>();
  const waiting = new Map(
    deadLetters.map((deadLetter) => {
      const subject = subjectOf(deadLetter, context.functions);
      return [diagnosisKeyOf(deadLetter, subject), { deadLetter, subject }];
    }),
  );
  const chains = Map.groupBy(waiting, ([key, { subject }]) =>
    subject.type === 'request' ? bucketKeyOf(subject) : key,
  );
  const next = chains.values();
  const work = async () => {
    for (const chain of next) {
      for (const [key, { deadLetter }] of chain) diagnoses.set(key, await diagnose(deadLetter, context));
    }
  };
  await Promise.all(Array.from({ length: Math.min(maxConcurrent, chains.size) }, work));
  return diagnoses;
}

/** Dead letters with the same key share a diagnosis. Each event has its own. */
export function diagnosisKeyOf(deadLetter: DeadLetter, subject: Subject): string {
  if (subject.type !== 'object') return idsOf(deadLetter).join(' ');
  const { cluster, resource, key } = subject;
  return JSON.stringify([deadLetter.function, cluster, resource.kind, key.namespace, key.name]);
}
