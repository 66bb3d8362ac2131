import { expect, test } from '@jest/globals';
import { type CostQuestion, costOf } from '../../../deployment/cost/cost.ts';
import { inventoryOf } from '../../../deployment/cost/inventory.ts';
import { pricedRegions } from '../../../deployment/cost/prices.ts';
import { readParameters } from '../../../deployment/serverless/parameters.ts';
import { metricDefinitions } from '../../../lib/runtime/metric-definitions.ts';
import { clustersNamed, completed, defaults, place, text } from '../../support/completed-service.ts';

const quiet: CostQuestion = { service: text, clusters: 1, changesOfDay: 100, region: 'us-east-1' };
const withParameters = (parameters: Record<string, string>) => costOf({ ...quiet, parameters });
const lineOf = (question: Partial<CostQuestion>, wanted: string) =>
  costOf({ ...quiet, ...question }).lines.find(({ item }) => item === wanted)?.dollars ?? 0;
const parameters = readParameters(defaults, place);
const inventory = inventoryOf(completed(), parameters);

test('every function, queue and alarm that is packaged is counted', () => {
  const { functions, resources } = completed();
  expect(inventory.functions.map(({ name }) => name)).toEqual(Object.keys(functions));
  const counted = (type: string) => Object.values(resources.Resources).filter(({ Type }) => Type === type).length;
  expect(inventory.queues).toBe(counted('AWS::SQS::Queue'));
  expect(inventory.alarms.all).toBe(counted('AWS::CloudWatch::Alarm') + counted('AWS::CloudWatch::CompositeAlarm'));
  expect(inventory.dashboards).toHaveLength(1);
});

test('a function that is added to serverless.yml makes the bill larger', () => {
  const added = `
  another:
    <<: *step
    events: [sqs: { <<: *batches, arn: !GetAtt AnotherQueue.Arn }]
`;
  const service = text.replace(/^functions:$/m, (line) => `${line}${added}`);
  for (const item of ['polling', 'alarms']) expect(lineOf({ service }, item)).toBeGreaterThan(lineOf({}, item));
});

test('an alarm that is added makes the bill larger, by each metric that it watches', () => {
  const service = completed();
  const metric = { MetricStat: { Period: 60 } };
  service.resources.Resources.OneMoreAlarm = { Type: 'AWS::CloudWatch::Alarm', Properties: { Period: 10 } };
  service.resources.Resources.AnotherAlarm = {
    Type: 'AWS::CloudWatch::Alarm',
    Properties: { Metrics: [{ Expression: 'MAX(METRICS())' }, metric, metric, metric] },
  };
  const { alarms } = inventoryOf(service, parameters);
  expect(alarms).toEqual({
    ...inventory.alarms,
    standard: inventory.alarms.standard + 3,
    highResolution: inventory.alarms.highResolution + 1,
    all: inventory.alarms.all + 2,
  });
});

test('a metric that is added makes the bill larger, by each combination of its dimensions', () => {
  const OneMore = { by: [[], ['Cluster'], ['Cluster', 'Transfer']], reported: 'each minute' } as const;
  const two = readParameters({ ...defaults, clusters: clustersNamed('main', 'edge') }, place);
  const { metrics } = inventoryOf(completed(), two, { ...metricDefinitions, OneMore });
  expect(metrics.at(-1)).toEqual({ name: 'OneMore', reported: 'each minute', count: 1 + 2 + 2 * 2 });
});

test('a dimension of which nobody knows how many values it has is no number', () => {
  const OneMore = { by: [['Namespace']], reported: 'each minute' } as const;
  expect(() => inventoryOf(completed(), parameters, { OneMore })).toThrow('dimension Namespace');
});

test('parameters count: what is turned off costs nothing, and secrets cost where they are', () => {
  const items = (cost: { lines: { item: string }[] }) => cost.lines.map(({ item }) => item);
  const without = withParameters({ alarms: 'off', archive: 'off', 'forward-schedule': 'off' });
  expect(items(without)).not.toEqual(expect.arrayContaining(['alarms']));
  for (const item of ['alarms', 'composite alarms', 'archive', 'forwarder']) expect(items(without)).not.toContain(item);
  expect(items(withParameters({ 'page-topic': 'arn:aws:sns:us-east-1:111122223333:pages' }))).toContain(
    'composite alarms',
  );
  expect(lineOf({ parameters: { 'forward-schedule': 'off' } }, 'metrics')).toBeLessThan(lineOf({}, 'metrics'));
  expect(items(withParameters({ 'kms-key': 'on' }))).toContain('key');
  const stored = (store: string) => {
    const access = { type: 'kubeconfig', from: `${store}longshore/production/clusters/main/{function}` };
    const clusters = JSON.stringify([{ name: 'main', access }]);
    return inventoryOf(completed({ clusters }), readParameters({ ...defaults, clusters }, place)).secrets;
  };
  expect(stored('ssm:/')).toBe(0);
  expect(stored('secretsmanager:')).toBe(Object.keys(completed().functions).length - 1);
});

test('as many deployments are counted as so many clusters need', () => {
  const one = costOf(quiet);
  expect(one.deployments).toBe(1);
  const many = costOf({ ...quiet, clusters: 1_000 });
  expect(many.deployments).toBeGreaterThan(10);
  const polling = (cost: typeof one) => cost.lines.find(({ item }) => item === 'polling')?.dollars ?? 0;
  expect(polling(many)).toBeCloseTo(polling(one) * many.deployments, 5);
  expect(many.dollars).toBeCloseTo(
    many.lines.reduce((sum, { dollars }) => sum + dollars, 0),
    5,
  );
});

test.each(pricedRegions)('in %s every price is a number of dollars', (region) => {
  const { lines, dollars } = costOf({ ...quiet, region });
  expect(lines.filter(({ price }) => !(price > 0))).toEqual([]);
  expect(dollars).toBeGreaterThan(1);
});
