import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { kubeSystem, leaseOf, leasePath, startApi } from '../connect/case-api.ts';
import { identity, pairOf, run as runIn } from './case-aws.ts';
import { withDeadLetters } from './case-dead-letters.ts';

const { started, remaining } = withDeadLetters();

let api: Awaited<ReturnType<typeof startApi>>;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());
beforeEach(() => {
  api.objects.clear();
  api.objects.set('/api/v1/namespaces/kube-system', kubeSystem);
});

const run = (...args: string[]) => runIn(args, { ...started().environment, KUBECONFIG: api.kubeconfig });
const drop = ['dlq', 'drop', '--all', '--yes', '--context', 'main=prod'];

test.each([
  ['no cluster of the deployment', undefined, 'is not cluster main of longshore-test'],
  ['another cluster of the deployment', leaseOf('edge'), 'is cluster edge of longshore-test, not main'],
])('with %s nothing is judged, moved or dropped', async (_, lease, problem) => {
  if (lease) api.objects.set(leasePath(identity), lease);
  for (const args of [['dlq', '--context', 'main=prod'], drop, ['redrive', '--cluster', 'main']]) {
    const { status, stdout, stderr } = await run(...args);
    expect([status, stdout.replace('0 dead letters dropped from longshore-test\n', '')]).toEqual([1, '']);
    expect(stderr).toContain(`context prod (${api.url}) ${problem}`);
  }
  expect(await remaining()).toBe(5);
  expect((await pairOf(started(), 'match-transfer').arrived()).length).toBe(0);
});

test('with the cluster that the forwarder has named so it works, and with one that is confirmed by its uid', async () => {
  const listed = await run('dlq', '--context', 'main=prod', '--assume-cluster', 'kube-system-uid');
  expect([listed.status, listed.stdout]).toEqual([0, expect.not.stringContaining('main was not read')]);
  api.objects.set(leasePath(identity), leaseOf('main'));
  const dropped = await run('dlq', 'drop', '--done', '--yes', '--context', 'main=prod');
  expect([dropped.status, dropped.stderr]).toEqual([0, expect.stringContaining('state   gone')]);
  expect(await remaining()).toBe(2);
});

test('a dry run says what would be dropped, and drops nothing', async () => {
  api.objects.set(leasePath(identity), leaseOf('main'));
  const { status, stdout } = await run(...drop, '--dry-run');
  expect([status, stdout]).toEqual([0, '3 dead letters would be dropped from longshore-test\n']);
  expect(await remaining()).toBe(5);
});
