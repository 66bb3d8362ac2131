import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { handler } from '../../../functions/forward/handler.ts';

const before = { ...process.env };
const soonOver = { getRemainingTimeInMillis: () => 1_000 };

beforeEach(() => {
  const access = { type: 'kubeconfig', from: 'file:/nowhere' };
  Object.assign(process.env, {
    LONGSHORE_FUNCTION: 'forward',
    LONGSHORE_CLUSTERS: JSON.stringify([
      { name: 'main', access },
      { name: 'edge', access },
    ]),
    LONGSHORE_QUEUES: '{"match-claim":"http://127.0.0.1:1/match","rebind-volume":"http://127.0.0.1:1/rebind"}',
    AWS_REGION: 'eu-central-1',
  });
});
afterEach(() => {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
});

test('a cluster that is not configured is refused, with those that are', async () => {
  const problem = 'there is no cluster "mian"; LONGSHORE_CLUSTERS has: main, edge';
  await expect(handler({ cluster: 'mian' }, soonOver)).rejects.toThrow(problem);
});

test('a run for one cluster is about no other one', async () => {
  const failure = await handler({ cluster: 'edge' }, soonOver).catch((error: Error) => error);
  expect(String(failure)).toContain('/nowhere');
  expect((failure as AggregateError).errors).toHaveLength(1);
});

test('a run for all clusters tells what is wrong with each of them', async () => {
  const failure = await handler({}, soonOver).catch((error: Error) => error);
  expect((failure as AggregateError).errors).toHaveLength(2);
});
