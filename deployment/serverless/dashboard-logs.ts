import type { MetricName } from '../../lib/runtime/metric-definitions.ts';
import type { DeploymentContext } from './deployment-context.ts';
import { region } from './statements.ts';

interface LogTable {
  title: string;
  /** In CloudWatch Logs Insights. */
  query: readonly string[];
  /** The functions whose log is read; all of them, if undefined. */
  functions?: readonly string[];
}

/** Of these there is no metric, or none with these dimensions: each would cost, and people look at them now and then. */
const measured = (name: MetricName, ...rest: string[]): string[] => [`filter ispresent(${name})`, ...rest];

const tables: readonly LogTable[] = [
  {
    title: 'Messages failed, by reason',
    query: measured(
      'MessagesFailed',
      'stats sum(MessagesFailed) as failed, max(@timestamp) as latest by Cluster, Reason, Function',
      'sort failed desc',
    ),
  },
  {
    title: 'Work, by function',
    query: measured(
      'MessagesHandled',
      'stats sum(MessagesHandled) as handled, sum(MessagesGivenUp) as givenUp, sum(ClusterWrites) as writes, sum(ClusterConflicts) as conflicts by Cluster, Function',
      'sort handled desc',
    ),
  },
  {
    title: 'Forwarders',
    query: measured(
      'ForwarderLag',
      'stats max(ForwarderLag) as lag, max(CheckpointAge) as checkpoint, sum(MessagesForwarded) as forwarded, max(MessagesWaiting) as waiting, latest(Volumes) as volumes, latest(VolumesKept) as kept by Cluster',
    ),
    functions: ['forward'],
  },
  {
    title: 'What someone may need to look at',
    query: [
      // Lambda itself reports in plain text what a function could not.
      'filter level = "error" or @message like /Task timed out|Invoke Error|Runtime\\.|Runtime exited/',
      'fields @timestamp, @log, cluster, key, message, reason, error',
      'sort @timestamp desc',
      'limit 50',
    ],
  },
  {
    title: 'Functions: duration and memory',
    query: [
      'filter @type = "REPORT"',
      'stats count() as runs, pct(@duration, 99) as p99, max(@maxMemoryUsed / 1000000) as megabytes by @log',
      'sort p99 desc',
    ],
  },
];

const width = 12;
const height = 6;

export function logWidgets({ service, name: deployment }: DeploymentContext, top: number): object[] {
  return tables.map(({ title, query, functions = Object.keys(service.functions) }, index) => ({
    type: 'log',
    x: (index % 2) * width,
    y: top + Math.floor(index / 2) * height,
    width,
    height,
    properties: {
      region,
      title,
      view: 'table',
      query: [...functions.map((name) => `SOURCE '/aws/lambda/${deployment}-${name}'`), ...query].join(' | '),
    },
  }));
}
