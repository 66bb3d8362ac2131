import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { leaseNameFor } from '../../lib/forwarder/lease-name.ts';
import { fixtures, identity } from '../fuzz/fixtures.ts';
import { Attack } from '../memory/attack.ts';
import { CrowdedApi } from '../memory/crowded-api.ts';
import type { LambdaProcess } from '../memory/lambda-process.ts';
import { MemoryLimit } from '../memory/memory-limit.ts';
import { patient, until } from '../support/patience.ts';

/** One run of the forwarder for several clusters, as it is deployed with forward-clusters-per-run. */

const whyNot = await MemoryLimit.whyNot();
if (whyNot !== undefined) console.warn(whyNot);
const limited = whyNot === undefined ? describe : describe.skip;

const claims = 200;
const leasePath = `/apis/coordination.k8s.io/v1/namespaces/longshore-system/leases/${leaseNameFor(identity)}`;
const leaseThatEnds = (at: Date) => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: {
    name: leaseNameFor(identity),
    namespace: 'longshore-system',
    resourceVersion: '7',
    annotations: { 'longshore.dev/ends-at': at.toISOString() },
  },
  spec: { holderIdentity: 'another run', leaseDurationSeconds: 15 },
});

const attack = new Attack();
beforeAll(() => (whyNot === undefined ? attack.start() : undefined));
afterAll(() => (whyNot === undefined ? attack.stop() : undefined));

/** Two clusters, one of which another run may have. */
async function together<T>(
  leaseOfOne: object | undefined,
  work: (lambda: LambdaProcess, one: CrowdedApi, other: CrowdedApi) => Promise<T>,
): Promise<T> {
  const led = new Map([...fixtures, ...(leaseOfOne ? [[leasePath, leaseOfOne] as never] : [])]);
  const [one, other] = [new CrowdedApi(led, claims), new CrowdedApi(fixtures, claims)] as const;
  const kubeconfigs: Record<string, string> = {};
  for (const [name, api] of Object.entries({ one, other })) {
    await api.start();
    kubeconfigs[name] = await attack.kubeconfig(name, api.kubeconfig());
  }
  attack.aws.called.length = 0;
  const lambda = await attack.lambda('forward', kubeconfigs);
  try {
    return await work(lambda, one, other);
  } finally {
    await lambda.stop();
    for (const api of [one, other]) api.stop();
  }
}

/** When the run that takes the lease of a cluster says that it ends. */
const endWrittenTo = ({ asked }: CrowdedApi): Date | undefined => {
  const taken = asked.find(({ method, url }) => ['POST', 'PUT'].includes(method) && url.includes('/leases'));
  const { annotations } =
    (taken?.body as { metadata: { annotations: Record<string, string> } } | undefined)?.metadata ?? {};
  return annotations ? new Date(annotations['longshore.dev/ends-at'] ?? '') : undefined;
};

const run = { clusters: ['one', 'other'] };

limited('one run for two clusters', () => {
  test('forwards the changes of both, and leaves both leases', async () => {
    await together(undefined, async (lambda, one, other) => {
      const invoked = await lambda.invoke(run, patient(16_000));
      expect([lambda.wasKilled, invoked?.error]).toEqual([false, undefined]);
      const sent = attack.aws.called.filter(({ action }) => action === 'SendMessageBatch');
      const bodies = sent.flatMap(({ parameters }) => parameters.Entries as { MessageBody: string }[]);
      const sources = bodies.map(({ MessageBody }) => JSON.parse(MessageBody).source as string);
      for (const name of ['one', 'other']) {
        expect(sources.filter((source) => source.includes(name)).length).toBeGreaterThanOrEqual(claims / 10);
      }
      for (const { asked } of [one, other]) {
        const last = asked.findLast(({ method, url }) => method === 'PUT' && url.includes('/leases'));
        expect(last?.body).toMatchObject({ spec: { holderIdentity: '' } });
      }
    });
  });

  test('takes a cluster that came back until the run ends that has the other one', async () => {
    const ends = new Date(Date.now() + patient(120_000));
    await together(leaseThatEnds(ends), async (lambda, one, other) => {
      void lambda.invoke(run, patient(900_000));
      await until('the lease of the other cluster is taken', () => endWrittenTo(other) !== undefined);
      expect(endWrittenTo(other)).toEqual(ends);
      expect(one.asked.some(({ url }) => url.startsWith(leasePath))).toBe(true);
    });
  });
});
