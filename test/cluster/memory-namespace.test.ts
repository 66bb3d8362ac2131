import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { SQSBatchResponse } from 'aws-lambda';
import { acceptAnnotation, offerAnnotation } from '../../lib/capabilities/transfers/by-annotation/claim-marks.ts';
import type { Claim } from '../../lib/kubernetes/objects.ts';
import { resources } from '../../lib/kubernetes/resources.ts';
import { functionKubeconfig } from '../../tools/control-plane/manifests.ts';
import { Attack, batchOf, stepTimeoutMs } from '../memory/attack.ts';
import { MemoryLimit } from '../memory/memory-limit.ts';
import { patient } from '../support/patience.ts';
import { ownControlPlane } from './case-control-plane.ts';
import { held } from './case-offers.ts';

/**
 * What somebody who may edit one namespace can put there, against the functions as they are deployed: a real API server, their
 * own rights, and as much memory as they have. The server does not begin watches with lists, as those up to 1.31 do not.
 */

const whyNot = await MemoryLimit.whyNot();
if (whyNot !== undefined) console.warn(whyNot);
const limited = whyNot === undefined ? describe : describe.skip;

const theirs = 'team-a';
const other = 'team-b';
const hold = 'team-a.example.com/hold';
const { client, kubeconfig } = ownControlPlane({ featureGates: { WatchList: false } });
const attack = new Attack();

const claimIn = (namespace: string, name: string, metadata: object): Claim => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { namespace, name, ...metadata },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
});

/** On a busy machine the time is over before everything has been listed: then there is more of it the next time. */
const invocations = [
  ['resync', [patient(120_000)]],
  ['forward', [patient(30_000), patient(60_000), patient(120_000)]],
] as const;

/** What is made many times, some at a time. */
async function makeMany(count: number, make: (at: number) => Promise<unknown>): Promise<void> {
  const left = Array.from({ length: count }).entries();
  const one = async () => {
    for (const [at] of left) await make(at);
  };
  await Promise.all(Array.from({ length: 6 }, one));
}

beforeAll(async () => {
  if (whyNot !== undefined) return;
  await attack.start();
  for (const namespace of [theirs, other]) await client().createNamespace(namespace);
});
afterAll(() => (whyNot === undefined ? attack.stop() : undefined));

async function lambda(name: string) {
  return attack.lambda(name, { main: await attack.kubeconfig('main', await functionKubeconfig(kubeconfig(), name)) });
}

limited('of a user who may edit one namespace', () => {
  test('pods of 1.33 MB, which are read for each claim, keep nobody else from being served', async () => {
    const value = `ж${'x'.repeat(1.33 * 1024 * 1024)}`;
    await makeMany(45, (at) =>
      client().create({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { namespace: theirs, name: `large-${at}` },
        spec: {
          schedulingGates: [{ name: 'team-a.example.com/never' }],
          containers: [{ name: 'any', image: 'any', env: [{ name: 'LARGE', value }] }],
        },
      } as never),
    );
    const names = Array.from({ length: 9 }, (_, at) => `offered-${at}`);
    for (const name of names) {
      const annotations = { [offerAnnotation]: `${theirs}/nowhere` };
      const offered = claimIn(theirs, name, { annotations, finalizers: [hold] });
      await client().create(offered);
      await client().delete(offered);
    }
    const victim = held(claimIn(other, 'waiting', { annotations: { [acceptAnnotation]: `${other}/not-there` } }));
    await client().create(victim);
    const messages = [...names.map((name) => ({ namespace: theirs, name })), { namespace: other, name: 'waiting' }];
    const process = await lambda('match-claim');
    try {
      const batch = messages.map((key) => ({
        ...key,
        resource: resources.claim,
        messageId: `message-of-${key.name}`,
        cluster: 'main',
      }));
      const invoked = await process.invoke(batchOf('match-claim', batch), stepTimeoutMs);
      // On a busy machine the time is over before all of theirs have been read: those come again, and nobody else waits.
      const allowed = names.map((name) => ({ itemIdentifier: `message-of-${name}` }));
      expect([process.wasKilled, invoked?.error]).toEqual([false, undefined]);
      const answer = invoked?.answer as SQSBatchResponse | undefined;
      expect(allowed).toEqual(expect.arrayContaining(answer?.batchItemFailures ?? [{ itemIdentifier: 'no answer' }]));
      const found = (await client().get(victim)) as { status?: { conditions?: object[] } } | undefined;
      expect(found?.status?.conditions).toHaveLength(1);
    } finally {
      await process.stop();
    }
  });

  test('claims with annotations of 255 KB keep nothing from being forwarded, and nothing from being told again', async () => {
    await makeMany(280, (at) => {
      const annotations = { large: 'x'.repeat(255 * 1024), [acceptAnnotation]: `${theirs}/not-there` };
      return client().create(held(claimIn(theirs, `annotated-${at}`, { annotations })));
    });
    for (const [name, limits] of invocations) {
      attack.aws.called.length = 0;
      const told = () => {
        const sent = JSON.stringify(attack.aws.called.map(({ parameters }) => parameters));
        return [name, sent.includes('annotated-279'), sent.includes('"waiting') || sent.includes('/waiting')];
      };
      const process = await lambda(name);
      try {
        for (const timeoutMs of limits) {
          const invoked = await process.invoke(name === 'resync' ? { rate: 1_000 } : {}, timeoutMs);
          expect([name, process.wasKilled, invoked?.error]).toEqual([name, false, undefined]);
          if (!told().includes(false)) break;
        }
        expect(told()).toEqual([name, true, true]);
      } finally {
        await process.stop();
      }
    }
  });
});
