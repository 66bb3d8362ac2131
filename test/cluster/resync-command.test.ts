import { randomBytes } from 'node:crypto';
import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ClusterObject } from '../../lib/kubernetes/objects.ts';
import { transferRequest } from '../../tools/local/transfer-objects.ts';
import { identity, pairOf, start, startAws } from '../cli/dead-letters/case-aws.ts';
import { until } from '../support/patience.ts';
import { testClient, testKubeconfig } from './administrator.ts';

/** Those of transfers by request, and one to which nothing of the cluster leads. */
const functions = ['match-transfer', 'match-approval', 'rebind-volume', 'request-bucket'];
const count = 60;
const namespace = `interrupted-${randomBytes(4).toString('hex')}`;
const client = testClient();
let aws: Awaited<ReturnType<typeof startAws>>;

beforeAll(async () => {
  aws = await startAws(functions, ['test']);
  await client.createNamespace(namespace);
  await forwarderHasRun();
  const [source, target] = [
    { namespace, name: 'data' },
    { namespace, name: 'copy' },
  ];
  const names = Array.from({ length: count }, (_, index) => `request-${index}`);
  await Promise.all(names.map((name) => client.create(transferRequest({ name, source, target }))));
});
afterAll(() => aws.stop());

/** As a forwarder of the deployment leaves its Lease, by which commands know the cluster. */
async function forwarderHasRun(): Promise<void> {
  const lease: ClusterObject & { spec: object } = {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { namespace: 'longshore-system', name: `forward.${identity}` },
    spec: { renewTime: new Date().toISOString().replace('Z', '000Z') },
  };
  const { uid = '' } = (await client.create(lease)).metadata;
  await client.annotate(lease, { 'longshore.dev/cluster': 'test', 'longshore.dev/lease-uid': uid });
}

function resync(...args: string[]) {
  const environment = { ...aws.environment, KUBECONFIG: testKubeconfig() };
  return start(['resync', '--namespace', namespace, ...args], environment);
}

async function waiting(): Promise<number> {
  const { client: sqs, urls } = pairOf(aws, 'match-transfer');
  const AttributeNames = ['ApproximateNumberOfMessages' as const];
  const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl: urls.url, AttributeNames }));
  return Number(Attributes?.ApproximateNumberOfMessages);
}

test('one that is interrupted says how far it came, and the next one sends everything', async () => {
  const { child, ended } = resync('--rate', '10');
  await until('messages wait', async () => (await waiting()) > 0);
  child.kill('SIGINT');
  const { status, stdout, stderr } = await ended;
  const [, sent = ''] = new RegExp(`match-transfer +StorageTransferRequest +(\\d+) of ${count}`).exec(stdout) ?? [];
  expect(status).toBe(130);
  expect(Number(sent)).toBeGreaterThan(0);
  expect(stderr).toContain(`${count - Number(sent)} messages were not sent: it was stopped. Run it again`);

  const again = await resync('--rate', '1000').ended;
  expect([again.status, again.stderr]).toEqual([0, '']);
  expect(again.stdout).toMatch(new RegExp(`match-transfer +StorageTransferRequest +${count} of ${count}`));
  expect(await waiting()).toBe(count + Number(sent));
});
