import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { fixtures } from '../fuzz/fixtures.ts';
import { Attack } from '../memory/attack.ts';
import { CrowdedApi } from '../memory/crowded-api.ts';
import { MemoryLimit } from '../memory/memory-limit.ts';
import { patient } from '../support/patience.ts';
import { isSoak } from '../support/soak.ts';

const whyNot = await MemoryLimit.whyNot();
if (whyNot !== undefined) console.warn(whyNot);
const limited = whyNot === undefined ? describe : describe.skip;

/** Of the run, ten seconds are for its end. */
const sizes = isSoak ? [{ claims: 100_000, runMs: 45_000 }] : [{ claims: 5_000, runMs: 16_000 }];
const offered = (claims: number) => claims / 10;

const attack = new Attack();
beforeAll(() => (whyNot === undefined ? attack.start() : undefined));
afterAll(() => (whyNot === undefined ? attack.stop() : undefined));

limited('with the memory that it is given, the forwarder', () => {
  test.each(sizes)('lists $claims claims, and tells of those that are offered', async ({ claims, runMs }) => {
    const api = new CrowdedApi(fixtures, claims);
    await api.start();
    try {
      const lambda = await attack.lambda('forward', {
        crowded: await attack.kubeconfig('crowded', api.kubeconfig()),
      });
      try {
        const invoked = await lambda.invoke({}, patient(runMs));
        expect([lambda.wasKilled, invoked?.error]).toEqual([false, undefined]);
        const sent = attack.aws.called.filter(({ action }) => action === 'SendMessageBatch');
        const messages = sent.flatMap(({ parameters }) => parameters.Entries as object[]);
        expect(messages.length).toBeGreaterThanOrEqual(offered(claims));
        expect(api.listed).toBeGreaterThan(0);
      } finally {
        await lambda.stop();
      }
    } finally {
      api.stop();
    }
  });
});
