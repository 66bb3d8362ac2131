import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { costLines } from '../../../cli/cost/cost.ts';
import { costOf } from '../../../deployment/cost/cost.ts';
import { bareEnvironment } from '../../support/bare-environment.ts';
import { text } from '../../support/completed-service.ts';

const main = fileURLToPath(new URL('../../../cli/main.ts', import.meta.url));
const run = (...args: string[]) =>
  spawnSync(process.execPath, [main, 'cost', ...args], { encoding: 'utf8', env: bareEnvironment() });
const costFor = (clusters: number) => costOf({ service: text, clusters, changesOfDay: 100, region: 'us-east-1' });

test('the table has a line for each item, and their sum', () => {
  const lines = costLines(costFor(1), costFor(2));
  expect(lines[0]).toMatch(/^ITEM +A MONTH +DRIVEN BY/);
  expect(lines[0]).toMatch(/\ntotal +\$\d+\.\d\d/);
  expect(lines.join('\n')).toContain(`One more cluster: $${(costFor(2).dollars - costFor(1).dollars).toFixed(2)}.`);
  expect(costLines(costFor(1), costFor(2), 'wide')[0]).toMatch(/QUANTITY +PRICE OF ONE\n.*forwarder .*GB-s/);
});

test('it says how many deployments many clusters need', () => {
  expect(costLines(costFor(1), costFor(2)).join(' ')).not.toContain('deployments');
  expect(costLines(costFor(200), costFor(201)).join(' ')).toMatch(/in \d+ deployments/);
});

test('programs get the whole bill, and what is typed wrong is said', () => {
  const { stdout, status } = run('--clusters', '2', '--param', 'alarms=off', '-o', 'json');
  expect([status, JSON.parse(stdout)]).toMatchObject([
    0,
    { clusters: 2, changesOfDay: 100, region: 'us-east-1', lines: expect.any(Array), dollars: expect.any(Number) },
  ]);
  const wrong = run('--param', 'alarms=perhaps');
  expect([wrong.status, wrong.stderr]).toEqual([2, expect.stringContaining('alarms must be on or off')]);
  expect(run('--region', 'eu-central-1').stderr).toContain('us-east-1');
  expect(run('--param', 'clusters=[]').stderr).toContain('--clusters');
  expect(run('--param', 'alarms').stderr).toContain('<name>=<value>');
});
