import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { candidatesFor } from '../../../cli/completion/candidates.ts';
import { splitLine } from '../../../cli/completion/split-line.ts';
import { programFor } from '../../../cli/program.ts';
import { bareEnvironment } from '../../support/bare-environment.ts';
import { startApi } from '../connect/case-api.ts';

const main = fileURLToPath(new URL('../../../cli/main.ts', import.meta.url));

let api: Awaited<ReturnType<typeof startApi>>;
beforeAll(async () => {
  api = await startApi('prod:eu');
  api.objects.set('/api/v1/namespaces', {
    items: [{ metadata: { name: 'team-a' } }, { metadata: { name: 'kube-system' } }],
  });
  api.objects.set('/api/v1/persistentvolumeclaims', { items: [{ metadata: { namespace: 'team-a', name: 'data' } }] });
});
afterAll(() => api.stop());

/** Asked by another process: this one has to answer as the API server. */
async function completed(line: string): Promise<string[]> {
  const { run } = await import('./case-shell.ts');
  return run(line, { main, kubeconfig: api.kubeconfig });
}

test.each<[string, string[]]>([
  ['longshore re', ['retry', 'restore', 'replay', 'redrive', 'resync']],
  ['longshore dlq ', ['list', 'drop']],
  ['longshore dlq drop --un', ['--unprocessable']],
  ['longshore dlq --ol', ['--older-than']],
  ['longshore trace -o j', ['json']],
  ['longshore trace --output ', ['json', 'yaml']],
  ['longshore trace --output=y', ['yaml']],
  ['longshore run --log t', ['text']],
  ['longshore trace persistentvolumec', ['persistentvolumeclaim']],
  ['longshore resync --context pr', ['prod:eu']],
  ['longshore resync --context prod:', ['eu']],
  ['longshore redrive --context main=pr', ['prod:eu']],
  ['longshore completion z', ['zsh']],
  ['longshore nothing --x', []],
])('bash completes %j', async (line, expected) => {
  expect(await completed(line)).toEqual(expected);
});

test.each<[string, string[]]>([
  ['trace pvc', ['team-a/data']],
  ['trace pvc --context prod:eu', ['team-a/data']],
  ['trace nothing', []],
  ['resync --namespace', ['team-a', 'kube-system']],
  ['redrive --namespace', []],
])('a cluster is asked for what follows %j, where it is certain which one is meant', async (line, expected) => {
  const { KUBECONFIG } = process.env;
  process.env.KUBECONFIG = api.kubeconfig;
  const words = line.split(' ');
  const { candidates } = await candidatesFor((await programFor(words)) as CommandUnknownOpts, words, '', 60_000);
  if (KUBECONFIG === undefined) delete process.env.KUBECONFIG;
  else process.env.KUBECONFIG = KUBECONFIG;
  expect(candidates.map(({ value }) => value)).toEqual(expected);
});

test('nothing that is typed or answered is evaluated by the shell', async () => {
  expect(await completed("longshore trace '$(echo pvc)' ")).toEqual([]);
});

test.each(['zsh', 'fish'])('there is a script for %s that asks for the words', (shell) => {
  const { status, stdout } = spawnSync(process.execPath, [main, 'completion', shell], {
    encoding: 'utf8',
    env: bareEnvironment(),
  });
  expect([status, stdout]).toEqual([0, expect.stringContaining('longshore complete -- ')]);
});

test.each([
  ['longshore trace pvc ', ['longshore', 'trace', 'pvc', '']],
  ['longshore', ['longshore']],
  ["longshore  'a b' c\\ d", ['longshore', 'a b', 'c d']],
  ['longshore "a', ['longshore', 'a']],
])('%j has the words %j', (line, words) => {
  expect(splitLine(line)).toEqual(words);
});
