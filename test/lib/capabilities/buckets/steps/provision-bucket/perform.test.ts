import { describe, expect, test } from '@jest/globals';
import type { Driver } from '../../../../../../lib/capabilities/buckets/drivers/driver.ts';
import { performOn } from '../../../../../../lib/capabilities/buckets/steps/provision-bucket/perform.ts';
import type { Answer } from '../../../../../../lib/reconcile/step.ts';
import { uncollectedBytes } from '../../../../../support/heap.ts';

const driver = 's3.example.com';
const refused = { result: 'denied', message: 'wrong keys', hasChangedNothing: true } as const;

function performing(): (
  cluster: string,
  owner: string,
  operation?: 'CreateBucket' | 'DeleteBucket',
) => Promise<Answer> {
  const made = { result: 'created', bucket: 'photos' };
  const refusing = { createBucket: async () => made, deleteBucket: async () => refused } as unknown as Driver;
  const perform = performOn(new Map([[driver, refusing]]));
  return (cluster, owner, operation = 'DeleteBucket') =>
    perform({ operation, slot: 'deleted', about: owner, driver, request: { cluster, owner } } as never, undefined);
}

describe('what a store refuses says that nothing was changed', () => {
  test('where this process has made nothing for the owner before', async () => {
    const ask = performing();
    expect(await ask('main', 'one')).toMatchObject({ hasChangedNothing: true });
    expect(await ask('main', 'one')).toMatchObject({ hasChangedNothing: true });
  });

  test('and not where it has', async () => {
    const ask = performing();
    await ask('main', 'one', 'CreateBucket');
    expect(await ask('main', 'one')).toMatchObject({ hasChangedNothing: false });
    expect(await ask('main', 'two')).toMatchObject({ hasChangedNothing: true });
    expect(await ask('other', 'one')).toMatchObject({ hasChangedNothing: true });
  });

  test('in a cluster, however many owners another one has', async () => {
    const ask = performing();
    for (let at = 0; at < 10_001; at += 1) await ask('theirs', String(at), 'CreateBucket');
    expect(await ask('theirs', 'a later one')).toMatchObject({ hasChangedNothing: false });
    expect(await ask('main', 'one')).toMatchObject({ hasChangedNothing: true });
  });
});

test('what is kept of an owner between invocations is short, whatever a cluster calls it', async () => {
  const ask = performing();
  const before = uncollectedBytes();
  for (let at = 0; at < 50; at += 1)
    await ask('main', `${Buffer.alloc(1_000_000, '-').toString()}${at}`, 'CreateBucket');
  expect(uncollectedBytes() - before).toBeLessThan(10_000_000);
});
