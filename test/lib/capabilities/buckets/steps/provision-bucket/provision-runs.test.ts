import { describe, expect, test } from '@jest/globals';
import { decide } from '../../../../../../lib/capabilities/buckets/steps/provision-bucket/decide.ts';
import type { ProvisioningWorld } from '../../../../../../lib/capabilities/buckets/steps/provision-bucket/world.ts';
import * as stage from '../../bucket-stages.ts';
import { settle, statusIn, summaryOf } from '../../bucket-table.ts';
import { atWork, base, created, failures, granted, wanted } from './world.ts';

const { source, now, startedAt } = stage;

describe('a driver that fails', () => {
  test.each(failures)('with %s is told as %s', (result, reason, phase, verdict) => {
    const failure = { result, message: 'in plain words' };
    for (const answers of [{ created: failure }, { created, secret: source(), granted: failure }]) {
      const { writes, decision, world } = settle(decide, { ...atWork(), ...answers } as ProvisioningWorld);
      expect([writes, summaryOf(decision)]).toEqual([['patch content status'], `${verdict} ${reason}`]);
      expect(world.content?.status).toMatchObject({ phase, message: 'in plain words', startedAt });
      expect(world.content?.status?.lease).toBeUndefined();
      expect(world.content?.status?.failedAt).toBe(phase === 'Failed' ? now.toISOString() : undefined);
    }
  });

  test('again in the same way gives the lease back and is no news', () => {
    const failed = { result: 'taken', message: 'in plain words' } as const;
    const first = settle(decide, { ...atWork(), created: failed }).world;
    const content = { ...first.content, status: { ...first.content?.status, lease: stage.lease(60) } };
    const again = decide({ ...first, content } as ProvisioningWorld, stage.later(1));
    expect(again).toMatchObject({
      write: { announce: [], body: { status: { lease: null, failedAt: stage.later(1).toISOString() } } },
    });
  });
});

const answers = { CreateBucket: created, GrantBucketAccess: granted };
const rest = ['create secret', 'call GrantBucketAccess', 'patch secret', 'patch content', 'patch content status'];

test('a whole run of Greenfield, in the order that survives a crash', () => {
  const { writes, decision, world } = settle(decide, wanted({}, 'Greenfield'), answers);
  const first = ['patch content status', 'call CreateBucket'];
  expect([writes, summaryOf(decision)]).toEqual([[...first, ...rest], 'done Provisioned']);
  expect(JSON.stringify([statusIn(world, 'content'), world.content?.spec])).not.toContain('hush');
});

test('a whole run of Brownfield, which looks for others when it is written down that it has begun', () => {
  const begun = settle(decide, wanted({}, 'Brownfield'), answers);
  expect([begun.writes, summaryOf(begun.decision)]).toEqual([['patch content status'], 'reread Begun']);
  const { writes, decision, world } = settle(decide, { ...begun.world, answered: [] }, answers);
  expect([writes, summaryOf(decision)]).toEqual([rest, 'done Provisioned']);
  expect(JSON.stringify([statusIn(world, 'content'), world.content?.spec])).not.toContain('hush');
});

test.each([
  [undefined, 'rw'],
  [['ro'], 'ro'],
  [['wo'], 'wo'],
  [['ro', 'wo'], 'rw'],
  [['ro', 'rw'], 'rw'],
] as const)('the modes %j are asked for as %s', (modes, mode) => {
  const content = stage.leased({ spec: { flow: 'Brownfield', ...(modes ? { accessModes: [...modes] } : {}) } });
  const decision = decide({ ...base, content, secret: source() }, now);
  expect(decision).toMatchObject({ call: { request: { mode, flow: 'Brownfield' } } });
});
