import { describe, expect, test } from '@jest/globals';
import { withDeadLetters } from './case-dead-letters.ts';

const { run, remaining } = withDeadLetters();

describe('drop', () => {
  test.each([
    ['without an answer', ''],
    ['with the words for another number of letters', 'drop 4\n'],
  ])('drops nothing %s', async (_, input) => {
    const { status, stderr } = await run(['dlq', 'drop', '--all'], input);
    expect([status, stderr]).toEqual([1, expect.stringContaining('not confirmed: 3 dead letters are still there')]);
    expect(stderr).toContain('Drop 3 dead letters of longshore-test for good');
    expect(await remaining()).toBe(5);
  });

  test('drops what was confirmed, and asks again for what comes to light then', async () => {
    const { status, stdout, stderr } = await run(['dlq', 'drop', '--all'], 'drop 3\ndrop 1\n');
    expect([status, stdout]).toEqual([1, '4 dead letters dropped from longshore-test\n']);
    expect(stderr.match(/Type "drop 1" to do so/g)).toHaveLength(2);
    expect(stderr).toContain('not confirmed: 1 dead letter is still there');
    expect(await remaining()).toBe(1);
  });

  test('drops all there is, where it is told to ask nobody, and lists it all the same', async () => {
    const { status, stdout, stderr } = await run(['dlq', 'drop', '--all', '--yes']);
    expect([status, stdout]).toEqual([0, '5 dead letters dropped from longshore-test\n']);
    expect(stderr.match(/StorageTransferRequest stage\/db1 of cluster main/g)).toHaveLength(3);
    expect(stderr).toContain('StorageTransferRequest stage/db2 of cluster elsewhere');
    expect(await remaining()).toBe(0);
  });

  test('drops only what is selected, or only what cannot be processed', async () => {
    expect((await run(['dlq', 'drop', '--yes', '--unprocessable'])).stdout).toContain('2 dead letters dropped');
    expect((await run(['dlq', 'drop', '--all', '--yes', '--name', 'db2'])).stdout).toContain('0 dead letters dropped');
    expect(await remaining()).toBe(3);
  });
});
