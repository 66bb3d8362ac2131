import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { splitLine } from '../../../cli/completion/split-line.ts';
import { startApi } from '../connect/case-api.ts';

const main = fileURLToPath(new URL('../../../cli/main.ts', import.meta.url));
const { PATH = '' } = process.env;

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
  ['longshore re', ['replay', 'redrive', 'resync']],
  ['longshore dlq ', ['list', 'drop']],
  ['longshore dlq drop --un', ['--unprocessable']],
  ['longshore dlq --ol', ['--older-than']],
  ['longshore trace -o j', ['json']],
  ['longshore trace --output ', ['json', 'yaml']],
  ['longshore trace --output=y', ['yaml']],
  ['longshore run --log t', ['text']],
  ['longshore trace persistentvolumec', ['persistentvolumeclaim']],
  ['longshore trace pvc te', ['team-a/data']],
  ['longshore resync --context pr', ['prod:eu']],
  ['longshore resync --context prod:', ['eu']],
  ['longshore redrive --context main=pr', ['prod:eu']],
  ['longshore resync --namespace t', ['team-a']],
  ['longshore completion z', ['zsh']],
  ['longshore nothing --x', []],
])('bash completes %j', async (line, expected) => {
  expect(await completed(line)).toEqual(expected);
});

test('nothing that is typed or answered is evaluated by the shell', async () => {
  expect(await completed("longshore trace '$(echo pvc)' ")).toEqual([]);
});

test.each(['zsh', 'fish'])('there is a script for %s that asks for the words', (shell) => {
  const { status, stdout } = spawnSync(process.execPath, [main, 'completion', shell], {
    encoding: 'utf8',
    env: { PATH },
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
