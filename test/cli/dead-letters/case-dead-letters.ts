import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { messageAbout } from '../../lib/recovery/dead-letters/case-queues.ts';
import { pairOf, startAws } from './case-aws.ts';

const malformed = { ...messageAbout('x'), body: 'no JSON \u202e\u009b31m' };

/** Of a group with three there is one to be seen at a time; the others are of an unknown cluster, and no message. */
export const deadLetters = [
  ...[1, 2, 3].map((version) => messageAbout('db1', version)),
  messageAbout('db2', 1, 'elsewhere'),
  malformed,
];

let count = 0;
/** A queue does not take the same message twice. */
export function once<T extends { deduplicationId: string }>(message: T): T {
  count += 1;
  return { ...message, deduplicationId: `${message.deduplicationId.slice(0, 50)}${count}` };
}

type Aws = Awaited<ReturnType<typeof startAws>>;

/** Before each test `match-transfer` has these letters, and nobody else any. */
export function withDeadLetters() {
  let aws: Aws | undefined;
  const started = (): Aws => {
    if (!aws) throw new Error('it is started before the tests');
    return aws;
  };
  beforeAll(async () => {
    aws = await startAws(['match-transfer', 'request-bucket'], ['main']);
  });
  afterAll(() => aws?.stop());
  beforeEach(async () => {
    for (const pair of Object.values(started().pairs)) await pair.buried();
    await pairOf(started(), 'match-transfer').bury(deadLetters.map(once));
  });
  const remaining = async () => (await pairOf(started(), 'match-transfer').buried()).length;
  const run: Aws['run'] = (...given) => started().run(...given);
  return { started, run, remaining };
}
