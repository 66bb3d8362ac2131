import { type Finding, judge, type Surroundings } from '../../lib/recovery/dead-letters/judge.ts';
import { idsOf, type Letter } from '../../lib/recovery/dead-letters/letter.ts';
import { type Subject, subjectOf } from '../../lib/recovery/dead-letters/subject.ts';
import { failuresOf, type Logged } from './logs.ts';

/** A letter, and all that could be found out about it. */
export interface Examined {
  letter: Letter;
  subject: Subject;
  finding: Finding;
  firstFailure: Date | undefined;
  lastFailure: Date | undefined;
  error: { text: string; from: 'reason' | 'log' | 'message' } | undefined;
}

/** So many objects are looked at together. */
const atOnce = 8;

export async function examineAll(
  letters: readonly Letter[],
  surroundings: Surroundings,
  logged: Logged,
): Promise<Examined[]> {
  const findings = await findingsFor(letters, surroundings);
  return letters.map((letter) => {
    const subject = subjectOf(letter, surroundings.functions);
    const failures = failuresOf(letter, logged);
    // A request that was refused came here at the moment of its failure.
    const refusedAt = letter.reason === undefined ? undefined : letter.sentAt;
    return {
      letter,
      subject,
      finding: findings.get(placeOf(letter, subject)) ?? { state: 'unknown', detail: 'it was not looked at' },
      firstFailure: refusedAt ?? failures?.first ?? letter.firstDeliveredAt,
      lastFailure: refusedAt ?? failures?.last,
      error: errorOf(letter, subject, failures?.error),
    };
  });
}

function errorOf({ reason }: Letter, subject: Subject, logged: string | undefined): Examined['error'] {
  if (reason !== undefined) return { text: reason, from: 'reason' };
  if (logged !== undefined) return { text: logged, from: 'log' };
  return subject.type === 'unreadable' ? { text: subject.problem, from: 'message' } : undefined;
}

/** Each object is looked at once, however many letters there are about it. */
export async function findingsFor(letters: readonly Letter[], surroundings: Surroundings) {
  const findings = new Map<string, Finding>();
  const waiting = new Map(
    letters.map((letter) => [placeOf(letter, subjectOf(letter, surroundings.functions)), letter]),
  );
  const next = waiting.entries();
  const work = async () => {
    for (const [place, letter] of next) findings.set(place, await judge(letter, surroundings));
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, waiting.size) }, work));
  return findings;
}

/** Letters with the same one stand alike. What each event asks for is its own. */
export function placeOf(letter: Letter, subject: Subject): string {
  if (subject.type !== 'object') return idsOf(letter).join(' ');
  const { cluster, resource, key } = subject;
  return JSON.stringify([letter.function, cluster, resource.kind, key.namespace, key.name]);
}
