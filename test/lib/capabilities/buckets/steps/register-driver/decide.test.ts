import { describe, expect, test } from '@jest/globals';
import { decide, decideFailed } from '../../../../../../lib/capabilities/buckets/steps/register-driver/decide.ts';
import { readFor } from '../../../../../../lib/capabilities/buckets/steps/register-driver/read.ts';
import type { RegisteringWorld } from '../../../../../../lib/capabilities/buckets/steps/register-driver/world.ts';
import { clusterOf } from '../../../cluster-of.ts';
import * as stage from '../../bucket-stages.ts';
import { settle, summaryOf, testTable, writeOf } from '../../bucket-table.ts';

const { registration } = stage;
const driver = { name: stage.driver, protocols: ['s3'] };
const base: RegisteringWorld = { driver, identity: 'deployment-1' };
const ours = registration();
const theirs = registration('deployment-2');
const { uid: _, resourceVersion: __, ...metadata } = ours.metadata;

describe('a driver', () => {
  testTable<RegisteringWorld>(decide, [
    {
      situation: 'is registered by its name',
      world: base,
      write: 'create registration',
      exactly: { ...ours, metadata },
      next: 'done Registered',
    },
    {
      situation: 'finds its own registration after a restart',
      world: { ...base, registration: ours },
      answer: 'done Registered',
    },
    {
      situation: 'tries again while another deployment has the name',
      world: { ...base, registration: theirs },
      answer: 'retry DriverNameTaken',
    },
    {
      situation: 'tries again while the other one goes',
      world: { ...base, registration: registration('deployment-2', stage.deleting.metadata) },
      answer: 'retry DriverNameTaken',
    },
    {
      situation: 'is registered anew when its registration is gone',
      world: { ...base, registration: registration('deployment-1', stage.deleting.metadata) },
      answer: 'wait Deleting',
    },
    {
      situation: 'tries again when the server refuses',
      world: { ...base, refused: { slot: 'registration', message: 'no' } },
      answer: 'retry WriteRefused',
    },
    {
      situation: 'of another deployment is left alone',
      world: { identity: 'deployment-1' },
      answer: 'done NotOurDriver',
    },
  ]);
});

test("what a label's value cannot hold becomes a hyphen", () => {
  const write = writeOf(decide({ ...base, driver: { name: 's3/example:com', protocols: [] } }));
  expect(write).toMatchObject({
    body: { metadata: { name: 's3/example:com', labels: { 'cosi.io/provisioner': 's3-example-com' } } },
  });
});

describe('the last failure', () => {
  const failed = (world: RegisteringWorld) => decideFailed(world, 'given up');

  test('is told where both deployments look, once', () => {
    const world = { ...base, registration: theirs };
    const write = writeOf(failed(world));
    expect(write.announce).toMatchObject([
      { type: 'Warning', reason: 'DriverNameTaken', message: expect.stringContaining('deployment-2') },
    ]);
    const { writes, decision, world: after } = settle(failed, world);
    expect([writes, summaryOf(decision)]).toEqual([['patch registration'], 'reject Failed']);
    expect(after.registration?.spec).toEqual(theirs.spec);
  });

  test.each<[string, RegisteringWorld]>([
    ['our own registration', { ...base, registration: ours }],
    ['none', base],
    ["somebody else's driver", { identity: 'deployment-1', registration: theirs }],
  ])('with %s is told nobody', (_, world) => {
    expect(summaryOf(failed(world))).toBe('reject Failed');
  });
});

test('a name leads to its driver and its registration, and for no driver of ours nothing is read', async () => {
  const key = { name: stage.driver };
  expect(await readFor({ drivers: [driver], identity: 'deployment-1' })(clusterOf(ours), key)).toEqual({
    ...base,
    registration: ours,
  });
  const cluster = clusterOf(ours);
  await readFor({ drivers: [], identity: 'deployment-1' })(cluster, key);
  expect(cluster.asked).toEqual([]);
});
