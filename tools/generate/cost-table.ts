import { readFileSync } from 'node:fs';
import { costOf } from '../../deployment/cost/cost.ts';
import { pricesOf } from '../../deployment/cost/prices.ts';
import { table } from './table.ts';

const service = readFileSync(new URL('../../serverless.yml', import.meta.url), 'utf8');
const region = 'us-east-1';
const quietly = 100;

const scenarios = [
  { title: '1 quiet cluster', clusters: 1, changesOfDay: quietly },
  { title: '1 cluster, 100,000 changes a day', clusters: 1, changesOfDay: 100_000 },
  { title: '50 quiet clusters', clusters: 50, changesOfDay: quietly },
  { title: '1,000 quiet clusters', clusters: 1_000, changesOfDay: quietly },
];

/** What deployments with the default parameters cost, in docs/cost.md. */
export function costTable(): string {
  const costs = scenarios.map((scenario) => costOf({ ...scenario, service, region }));
  const items = [...new Set(costs.flatMap(({ lines }) => lines.map(({ item }) => item)))];
  const dollarsOf = (item: string) => costs.map(({ lines }) => lines.find((line) => line.item === item)?.dollars ?? 0);
  const drivenBy = (item: string) =>
    costs.flatMap(({ lines }) => lines.filter((line) => line.item === item))[0]?.drivenBy ?? '';
  return table(
    [`$ a month, ${region}, ${pricesOf}`, ...scenarios.map(({ title }) => title), 'driven by'],
    [
      ...items.map((item) => [item, ...dollarsOf(item).map(money), drivenBy(item)]),
      ['**total**', ...costs.map(({ dollars }) => `**${money(dollars)}**`), ''],
      ['deployments', ...costs.map(({ deployments }) => String(deployments)), "the size of a function's variables"],
      [
        'one more cluster',
        ...scenarios.map((scenario, index) => money(another(scenario) - (costs[index]?.dollars ?? 0))),
        '',
      ],
    ],
  );
}

const changes: Record<string, string>[] = [
  {},
  { 'forward-clusters-per-run': '4' },
  { 'forward-clusters-per-run': '8' },
  { 'forward-memory-megabytes': '192' },
  { 'forward-schedule': 'off' },
  { capabilities: 'transfers' },
  { alarms: 'off' },
];

/** What single parameters save, in docs/cost.md. */
export function cheaperTable(): string {
  const costWith = (clusters: number, parameters: Record<string, string>) =>
    costOf({ clusters, changesOfDay: quietly, service, region, parameters }).dollars;
  const rows = changes.map((parameters) => {
    const [named = 'the defaults'] = Object.entries(parameters).map(([name, value]) => `\`${name}=${value}\``);
    const [one, twelve] = [costWith(1, parameters), costWith(12, parameters)];
    return [named, money(one), money(twelve), money((twelve - one) / 11)];
  });
  return table(['$ a month with', '1 quiet cluster', '12 quiet clusters', 'each further one of them'], rows);
}

const another = ({ clusters, changesOfDay }: (typeof scenarios)[number]): number =>
  costOf({ clusters: clusters + 1, changesOfDay, service, region }).dollars;

const money = (dollars: number): string =>
  dollars.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
