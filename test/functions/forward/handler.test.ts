import { expect, test } from '@jest/globals';
import { handler } from '../../../functions/forward.ts';
import { withTwoClusters } from '../../lib/capabilities/two-clusters.ts';

const soonOver = { getRemainingTimeInMillis: () => 1_000 };

withTwoClusters('forward');

test('a cluster that is not configured is refused, with those that are', async () => {
  const problem = 'there is no cluster "mian"; LONGSHORE_CLUSTERS has: main, edge';
  await expect(handler({ cluster: 'mian' }, soonOver)).rejects.toThrow(problem);
});

test('a run for one cluster is about no other one', async () => {
  const failure = await handler({ cluster: 'edge' }, soonOver).catch((error: Error) => error);
  expect(String(failure)).toContain('/nowhere');
  expect((failure as AggregateError).errors).toHaveLength(1);
});

test('a run for several clusters is about each of them, once', async () => {
  const failure = await handler({ clusters: ['edge', 'main', 'edge'] }, soonOver).catch((error: Error) => error);
  expect((failure as AggregateError).errors).toHaveLength(2);
});

test.each([[[]], ['main'], [[1]], [['mian']], [[undefined]]])(
  'a list of clusters that is none is refused: %j',
  async (clusters) => {
    const event = { clusters } as unknown as { clusters: string[] };
    await expect(handler(event, soonOver)).rejects.toThrow(/^(there is no cluster|the event must have either)/);
  },
);

test('a run for all clusters tells what is wrong with each of them', async () => {
  const failure = await handler({}, soonOver).catch((error: Error) => error);
  expect((failure as AggregateError).errors).toHaveLength(2);
});
