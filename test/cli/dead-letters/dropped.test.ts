import { describe, expect, test } from '@jest/globals';
import { withDeadLetters } from './case-dead-letters.ts';

const { run, remaining } = withDeadLetters();

describe('drop', () => {
  test.each([
    ['without an answer', ''],
    ['with the words for another number of letters', 'remove 4\n'],
  ])('removes nothing %s', async (_, input) => {
    const { status, stderr } = await run(['dlq', 'drop'], input);
    expect([status, stderr]).toEqual([1, expect.stringContaining('not confirmed: 3 dead letters are still there')]);
    expect(stderr).toContain('Remove 3 dead letters of longshore-test for good');
    expect(await remaining()).toBe(5);
  });

  test('removes what was confirmed, and asks again for what comes to light then', async () => {
    const { status, stdout, stderr } = await run(['dlq', 'drop'], 'remove 3\nremove 1\n');
    expect([status, stdout]).toEqual([1, '4 dead letters removed from longshore-test\n']);
    expect(stderr.match(/Type "remove 1" to do so/g)).toHaveLength(2);
    expect(stderr).toContain('not confirmed: 1 dead letter is still there');
    expect(await remaining()).toBe(1);
  });

  test('removes all there is, where it is told to ask nobody, and lists it all the same', async () => {
    const { status, stdout, stderr } = await run(['dlq', 'drop', '--yes']);
    expect([status, stdout]).toEqual([0, '5 dead letters removed from longshore-test\n']);
    expect(stderr.match(/StorageTransferRequest stage\/db1 of cluster main/g)).toHaveLength(3);
    expect(stderr).toContain('StorageTransferRequest stage/db2 of cluster elsewhere');
    expect(await remaining()).toBe(0);
  });

  test('removes only what is selected, or only what is hopeless', async () => {
    expect((await run(['dlq', 'drop', '--yes', '--hopeless'])).stdout).toContain('2 dead letters removed');
    expect((await run(['dlq', 'drop', '--yes', '--name', 'db2'])).stdout).toContain('0 dead letters removed');
    expect(await remaining()).toBe(3);
  });
});
