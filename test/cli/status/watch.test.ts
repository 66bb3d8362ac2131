import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { kubeconfigOf } from '../../../tools/control-plane/kubeconfig.ts';
import { bareEnvironment } from '../../support/bare-environment.ts';

const main = fileURLToPath(new URL('../../../cli/main.ts', import.meta.url));
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longshore-watch-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('who has read enough, as head has, ends the watching without a word', async () => {
  const kubeconfig = join(folder, 'refused');
  await writeFile(kubeconfig, kubeconfigOf({ server: 'https://127.0.0.1:9', certificateAuthority: '', token: 'x' }));
  const args = [main, 'status', '--watch', '--kubeconfig', kubeconfig];
  const child = spawn(process.execPath, args, { env: bareEnvironment(), stdio: ['ignore', 'pipe', 'pipe'] });
  const [said, [code]] = await Promise.all([
    text(child.stderr),
    once(child, 'close'),
    once(child.stdout, 'data').then(() => child.stdout.destroy()),
  ]);
  expect([code, said]).toEqual([3, '']);
});
