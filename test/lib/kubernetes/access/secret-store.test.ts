import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readSecret } from '../../../../lib/kubernetes/access/secret-store.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longshore-secret-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('a secret in a file is read as it is', async () => {
  await writeFile(join(folder, 'a:b'), 'text');
  expect(await readSecret(`file:${join(folder, 'a:b')}`)).toBe('text');
});

test('an empty secret is refused', async () => {
  const path = join(folder, 'empty');
  await writeFile(path, '');
  await expect(readSecret(`file:${path}`)).rejects.toThrow(`file:${path} is empty`);
});

test.each(['vault:a', 'plain', ''])('the store of "%s" is unknown', async (from) => {
  await expect(readSecret(from)).rejects.toThrow(
    `${JSON.stringify(from)} must start with secretsmanager:, ssm: or file:`,
  );
});
