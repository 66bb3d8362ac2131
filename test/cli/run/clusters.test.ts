import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { reachableClusters } from '../../../cli/run/clusters.ts';

let folder = '';
let path = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longshore-clusters-'));
  path = join(folder, 'config');
  await writeFile(path, kubeconfig(['one', 'two', 'same', 'für uns'], 'two'));
  await writeFile(join(folder, 'without'), kubeconfig(['one'], ''));
});
afterAll(() => rm(folder, { recursive: true }));

/** The context `same` means the same cluster as `one`. */
function kubeconfig(names: string[], current: string): string {
  const server = (name: string) =>
    `https://${name === 'same' ? names.indexOf('one') : names.indexOf(name)}.example.com`;
  return JSON.stringify({
    'current-context': current,
    contexts: names.map((name) => ({ name, context: { cluster: name, user: 'u' } })),
    clusters: names.map((name) => ({ name, cluster: { server: server(name) } })),
    users: [{ name: 'u', user: { token: 'secret' } }],
  });
}

const names = async (...given: Parameters<typeof reachableClusters>) =>
  (await reachableClusters(...given)).map(({ name }) => name);

test('the current context counts, unless others are named', async () => {
  expect(await names({ kubeconfig: path, contexts: [] })).toEqual(['two']);
  expect(await names({ kubeconfig: path, contexts: ['one', 'two'] })).toEqual(['one', 'two']);
});

test('KUBECONFIG may list files that are not there, and --kubeconfig counts before it', async () => {
  const KUBECONFIG = [join(folder, 'nowhere'), path].join(delimiter);
  expect(await names({ contexts: [] }, { KUBECONFIG })).toEqual(['two']);
  expect(await names({ kubeconfig: path, contexts: [] }, { KUBECONFIG: 'nowhere' })).toEqual(['two']);
  await expect(names({ contexts: [] }, { KUBECONFIG: 'nowhere' })).rejects.toThrow(
    'KUBECONFIG names no file that exists: nowhere',
  );
});

test('a cluster has the name of its context, or the one that it is given', async () => {
  expect(await names({ kubeconfig: path, contexts: ['one'], cluster: 'prod' })).toEqual(['prod']);
  const both = { kubeconfig: path, contexts: ['one', 'two'], cluster: 'prod' };
  await expect(names(both)).rejects.toThrow('--cluster names one cluster, but there is more than one --context');
  await expect(names({ kubeconfig: path, contexts: ['für uns'] })).rejects.toThrow('printable characters of ASCII');
});

test('what would not work is refused before anything begins', async () => {
  const without = { kubeconfig: join(folder, 'without'), contexts: [] };
  await expect(names(without)).rejects.toThrow('has no current-context: use --context with one of its contexts (one)');
  const same = { kubeconfig: path, contexts: ['one', 'same'] };
  await expect(names(same)).rejects.toThrow('the same cluster is meant by --context one and same');
  await expect(names({ kubeconfig: path, contexts: ['three'] })).rejects.toThrow('has no context three; it has one');
});
