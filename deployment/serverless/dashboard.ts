import type { Measurement } from '../../lib/runtime/metrics.ts';
import { archiveName } from './archive.ts';
import { logWidgets } from './dashboard-logs.ts';
import type { DeploymentContext } from './deployment-context.ts';
import { deadLetterQueueOf, queueOf, type Resource } from './service.ts';
import { account, partition, region, substituted } from './statements.ts';

type Metric = readonly (string | object)[];

interface Graph {
  title: string;
  metrics: readonly Metric[];
  stat: 'Sum' | 'Maximum' | 'p99';
}

const perRow = 3;
const width = 24 / perRow;
const height = 6;
const headingHeight = 2;
const alarmsHeight = 4;

/**
 * One page that shows whether everything is healthy, and if not, where. With a few clusters it has at most fifty metrics, up to
 * which a dashboard is free; tables from the log have the rest.
 */
export function dashboardResources(
  context: DeploymentContext,
  alarms: readonly { name: string }[],
): Record<string, Resource> {
  const top = headingHeight + (alarms.length > 0 ? alarmsHeight : 0);
  const placed = graphs(context).map((graph, index) => ({
    type: 'metric',
    x: (index % perRow) * width,
    y: top + Math.floor(index / perRow) * height,
    width,
    height,
    properties: { region, view: 'timeSeries', period: 60, ...graph },
  }));
  const below = top + Math.ceil(placed.length / perRow) * height;
  const widgets = [heading(context), ...alarmWidgets(context, alarms), ...placed, ...logWidgets(context, below)];
  return {
    Dashboard: {
      Type: 'AWS::CloudWatch::Dashboard',
      Properties: { DashboardName: context.name, DashboardBody: substituted(JSON.stringify({ widgets })) },
    },
  };
}

function heading({ name, parameters }: DeploymentContext): object {
  const archive = parameters.archive ? `, archive \`\${${archiveName.Ref}}\`` : '';
  const markdown = `# ${name}\nClusters ${parameters.clusters.map((each) => `\`${literally(each.name)}\``).join(', ')}${archive}. What the graphs mean: docs/observing.md. What to do: docs/recovery.md.`;
  return { type: 'text', x: 0, y: 0, width: 24, height: headingHeight, properties: { markdown } };
}

/** CloudWatch's limit for one widget. */
const maxShownAlarms = 100;

function alarmWidgets({ name: deployment }: DeploymentContext, alarms: readonly { name: string }[]): object[] {
  if (alarms.length === 0) return [];
  const arns = alarms
    .slice(0, maxShownAlarms)
    .map(({ name }) => `arn:${partition}:cloudwatch:${region}:${account}:alarm:${deployment}-${literally(name)}`);
  const properties = { title: 'Alarms', alarms: arns };
  return [{ type: 'alarm', x: 0, y: headingHeight, width: 24, height: alarmsHeight, properties }];
}

/** A cluster's name is not a reference. */
const literally = (name: string) => name.replaceAll(/\$\{/g, '$${!');

function graphs(context: DeploymentContext): Graph[] {
  return [...ofClusters(context), ...ofMessages(context), ...ofQueues(context)];
}

function ofClusters({ parameters, name: deployment }: DeploymentContext): Graph[] {
  const counted = (metric: Measurement['name']): Metric[] =>
    parameters.clusters.map(({ name }) => {
      return ['Longshore', metric, 'Deployment', deployment, 'Cluster', literally(name)];
    });
  return [
    { title: 'Forwarder: how far behind, seconds', stat: 'Maximum', metrics: counted('ForwarderDelay') },
    { title: 'Forwarder: unfinished objects', stat: 'Maximum', metrics: counted('UnfinishedObjects') },
  ];
}

function ofMessages({ name: deployment, service }: DeploymentContext): Graph[] {
  const counted = (...metrics: Measurement['name'][]): Metric[] =>
    metrics.map((metric) => ['Longshore', metric, 'Deployment', deployment]);
  return [
    { title: 'Messages handled', stat: 'Sum', metrics: counted('MessagesHandled') },
    { title: 'Messages failed', stat: 'Sum', metrics: counted('UrgentFailures', 'OutageFailures') },
    { title: 'From change to done, milliseconds', stat: 'p99', metrics: counted('MessageAge') },
    {
      title: 'Transfers and Buckets',
      stat: 'Sum',
      metrics: counted('TransfersCompleted', 'TransfersFailed', 'BucketsBound', 'BucketsFailed'),
    },
    ...(service.functions['sweep-buckets']
      ? [{ title: 'Stores', stat: 'Maximum' as const, metrics: counted('StoreFindings', 'StoresNotRead') }]
      : []),
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
  ];
}
