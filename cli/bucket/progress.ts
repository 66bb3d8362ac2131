import type { Bucket } from '../../lib/capabilities/buckets/objects.ts';
import type { Condition } from '../../lib/kubernetes/objects.ts';
import { sentenceOf } from '../move/progress.ts';
import type { Progress } from '../objects/follow.ts';

/** Where no time and no administrator help: the Bucket itself must be another one. */
const hopeless = ['SecretExistsTimeout'];

/** What a Bucket waits for: of its conditions the first that is not reached. */
export function bucketWaits({ status }: Bucket): Condition | undefined {
  const of = (wanted: string) => status?.conditions?.find(({ type }) => type === wanted);
  return [of('Bound'), of('SecretReady')].find((condition) => condition && condition.status !== 'True');
}

export function isUsable({ status }: Bucket): boolean {
  const isTrue = (wanted: string) =>
    status?.conditions?.some(({ type, status: is }) => type === wanted && is === 'True');
  return status?.phase === 'Bound' && isTrue('SecretReady') === true;
}

export function bucketProgress(bucket: Bucket | undefined, what: string, uid: string | undefined): Progress {
  if (!bucket) return { stage: 'gone', lines: [], problem: `${what} does not exist any more` };
  if (bucket.metadata.uid !== uid) {
    return {
      stage: 'gone',
      lines: [],
      problem: `${what} is another one by now: somebody has deleted and recreated it`,
    };
  }
  const waiting = bucketWaits(bucket);
  return {
    stage: waiting ? `waiting: ${waiting.reason}` : 'requested',
    lines: waiting ? [sentenceOf(waiting)] : [],
    isOver: isUsable(bucket),
    isSilent: !bucket.status?.conditions?.length,
    problem: waiting && hopeless.includes(waiting.reason) ? waiting.message : undefined,
  };
}
