import type { Measurement } from '../../lib/runtime/metrics.ts';
import { archiveName } from './archive.ts';
import type { DeploymentContext } from './deployment-context.ts';
import { deadLetterQueueOf, queueOf, type Resource } from './service.ts';
import { region, substituted } from './statements.ts';

type Metric = readonly (string | object)[];

interface Graph {
  title: string;
  metrics: readonly Metric[];
  stat: 'Sum' | 'Maximum' | 'Average' | 'p99';
  period?: number;
}

const height = 6;
const perRow = 3;
const width = 24 / perRow;

/** One page that shows whether everything is healthy, and if not, where. */
export function dashboardResources(context: DeploymentContext): Record<string, Resource> {
  const widgets = graphs(context).map((graph, index) => ({
    type: 'metric',
    x: (index % perRow) * width,
    y: 2 + Math.floor(index / perRow) * height,
    width,
    height,
    properties: { region, view: 'timeSeries', period: 60, ...graph },
  }));
  const body = JSON.stringify({ widgets: [heading(context), ...widgets] });
  return {
    Dashboard: {
      Type: 'AWS::CloudWatch::Dashboard',
      Properties: { DashboardName: context.name, DashboardBody: substituted(body) },
    },
  };
}

function heading({ name, parameters }: DeploymentContext): object {
  const archive = parameters.archive ? `, archive \`\${${archiveName.Ref}}\`` : '';
  const markdown = `# ${name}\nClusters ${parameters.clusters.map((each) => `\`${literally(each.name)}\``).join(', ')}${archive}. What the graphs mean: docs/observing.md. What to do: docs/recovery.md.`;
  return { type: 'text', x: 0, y: 0, width: 24, height: 2, properties: { markdown } };
}

/** A cluster's name is not a reference. */
const literally = (name: string) => name.replaceAll(/\$\{/g, '$${!');

function graphs(context: DeploymentContext): Graph[] {
  return [...ofClusters(context), ...ofQueues(context), ...ofFunctions(context), ...ofStores(context)];
}

function ofClusters({ parameters, name: deployment }: DeploymentContext): Graph[] {
  const counted = (metric: Measurement['name']): Metric[] =>
    parameters.clusters.map(({ name }) => {
      return ['Longshore', metric, 'Deployment', deployment, 'Cluster', literally(name)];
    });
  const failures = found(deployment, 'Cluster,Reason', 'MessagesFailed', 'Sum');
  return [
    { title: 'Forwarder: lag, seconds', stat: 'Maximum', metrics: counted('ForwarderLag') },
    { title: 'Forwarder: age of the checkpoint, seconds', stat: 'Maximum', metrics: counted('CheckpointAge') },
    { title: 'Forwarder: unfinished objects', stat: 'Maximum', metrics: counted('UnfinishedObjects') },
    { title: 'Volumes kept by transfers', stat: 'Maximum', metrics: counted('VolumesKept') },
    { title: 'Messages handled', stat: 'Sum', metrics: counted('MessagesHandled') },
    { title: 'Messages failed, by reason', stat: 'Sum', metrics: [failures] },
    { title: 'Writes in the clusters', stat: 'Sum', metrics: counted('ClusterWrites') },
    { title: 'From change to done, milliseconds', stat: 'p99', metrics: counted('MessageAge') },
  ];
}

function ofQueues({ service: { functions } }: DeploymentContext): Graph[] {
  const queues = Object.entries(functions).flatMap(([name, block]) => {
    const queue = queueOf(block);
    return queue ? [{ label: name, queue, deadLetters: deadLetterQueueOf(queue) }] : [];
  });
  const counted = (metric: string, whose: 'queue' | 'deadLetters'): Metric[] =>
    queues.map(({ label, ...names }) => ['AWS/SQS', metric, 'QueueName', `\${${names[whose]}.QueueName}`, { label }]);
  const waiting = 'ApproximateNumberOfMessagesVisible';
  const age = 'ApproximateAgeOfOldestMessage';
  return [
    { title: 'Dead letters', stat: 'Maximum', metrics: counted(waiting, 'deadLetters') },
    { title: 'Age of the oldest message, seconds', stat: 'Maximum', metrics: counted(age, 'queue') },
    { title: 'Messages waiting', stat: 'Maximum', metrics: counted(waiting, 'queue') },
  ];
}

function ofFunctions({ service, name: deployment }: DeploymentContext): Graph[] {
  const counted = (metric: string): Metric[] =>
    Object.keys(service.functions).map((name) => {
      return ['AWS/Lambda', metric, 'FunctionName', `${deployment}-${name}`, { label: name }];
    });
  return [
    { title: 'Errors', stat: 'Sum', metrics: counted('Errors') },
    { title: 'Throttles', stat: 'Sum', metrics: counted('Throttles') },
    { title: 'Duration, milliseconds', stat: 'p99', metrics: counted('Duration') },
    { title: 'Concurrent executions', stat: 'Maximum', metrics: counted('ConcurrentExecutions') },
  ];
}

const inStores: Measurement['name'][] = [
  'OrphanedBuckets',
  'OrphanedUsers',
  'OrphanedKeys',
  'MissingBuckets',
  'MissingCredentials',
  'StoresNotRead',
];

function ofStores({ service, name: deployment }: DeploymentContext): Graph[] {
  if (!service.functions['sweep-buckets']) return [];
  const metrics = inStores.map((metric) => found(deployment, 'driver', metric, 'Maximum'));
  return [{ title: 'Orphaned, missing and not read in the stores', stat: 'Maximum', metrics }];
}

/** All metrics of this name in this deployment, one line each. */
function found(deployment: string, others: string, metric: Measurement['name'], stat: Graph['stat']): Metric {
  const wanted = `{Longshore,Deployment,${others}} Deployment="${deployment}" MetricName="${metric}"`;
  const expression = `SEARCH('${wanted}', '${stat}', 300)`;
  return [{ expression, label: '' }];
}
