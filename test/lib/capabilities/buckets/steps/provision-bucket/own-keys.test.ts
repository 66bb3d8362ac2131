import { expect, test } from '@jest/globals';
import { decide } from '../../../../../../lib/capabilities/buckets/steps/provision-bucket/decide.ts';
import type { ProvisioningWorld } from '../../../../../../lib/capabilities/buckets/steps/provision-bucket/world.ts';
import * as stage from '../../bucket-stages.ts';
import { settle, summaryOf } from '../../bucket-table.ts';
import { base, goingAtWork } from './world.ts';

const parameters = { driverSecretName: 'administrator' };
const driverSecret = stage.administratorsSecret;
const refused = { result: 'denied', message: 'wrong keys' } as const;
const busy = { result: 'unavailable', message: 'no answer' } as const;
const making: ProvisioningWorld = { ...base, content: stage.leased({ spec: { parameters } }), driverSecret };
const ending: ProvisioningWorld = { ...goingAtWork({ parameters }), driverSecret };

test.each<[string, ProvisioningWorld]>([
  ['is to be made', { ...making, created: refused }],
  ['is to go', { ...ending, revoked: refused }],
])('what %s by the keys of a Secret that is wrong waits to be told again, and holds up no message', (_, world) => {
  const { writes, decision } = settle(decide, world);
  expect([writes, summaryOf(decision)]).toEqual([['patch content status'], 'wait AccessDenied']);
});

test('it tries again whenever it is told, and does not rest', () => {
  for (const start of [
    { ...making, created: refused },
    { ...ending, revoked: refused },
  ]) {
    const { world } = settle(decide, start);
    const again = { ...world, created: undefined, revoked: undefined } as ProvisioningWorld;
    const next = decide(again, stage.later(60));
    expect(summaryOf(next)).toBe('patch content status');
    expect(JSON.stringify(next)).toContain('"lease"');
  }
});

test('a store that is away is tried again with growing pauses all the same', () => {
  expect(summaryOf(settle(decide, { ...making, created: busy }).decision)).toBe('retry StoreUnavailable');
});

test('rights that the function’s own role lacks are tried again with growing pauses, and told as a dead letter in the end', () => {
  const content = stage.leased({});
  expect(summaryOf(settle(decide, { ...making, content, created: refused }).decision)).toBe('retry AccessDenied');
});
