import type { FailureReason } from '../../lib/runtime/failure.ts';
import type { Measurement } from '../../lib/runtime/metrics.ts';
import { type Alarm, idOf } from './alarm.ts';
import type { DeploymentContext } from './deployment-context.ts';

/** Typed by the metric names of the functions, so that neither can change without the other. */
const metricNamed = (metric: Measurement['name']) => ({ namespace: 'Longshore', metric }) as const;

export function alarmsOfClusters({ name: deployment, parameters }: DeploymentContext): Alarm[] {
  return [
    ...parameters.clusters.flatMap(({ name }) => [
      // A forwarder that runs elsewhere as a process reports to Prometheus.
      ...(parameters['forward-schedule'] ? alarmsOfForwarder(deployment, name) : []),
      ...reasons.map(([reason, what]) => failureAlarm({ deployment, cluster: name }, reason, what)),
    ]),
    ...withoutCluster.map(([reason, what]) => failureAlarm({ deployment, cluster: 'unknown' }, reason, what)),
  ];
}

function alarmsOfForwarder(deployment: string, cluster: string): Alarm[] {
  const shared = {
    dimensions: { Deployment: deployment, Cluster: cluster },
    statistic: 'Maximum',
    periodSeconds: 60,
    periods: { of: 5, least: 5 },
    missingData: 'breaching',
  } as const;
  return [
    {
      ...shared,
      ...metricNamed('ForwarderLag'),
      id: `ForwarderLag${idOf(cluster)}`,
      name: `forwarder-lag-${cluster}`,
      description: `Changes of cluster ${cluster} have waited for minutes to be forwarded, or no forwarder reports: nothing new happens there. Nothing is lost, and the work is done later. See docs/forwarder.md#what-goes-wrong.`,
      above: 120,
    },
    {
      ...shared,
      ...metricNamed('CheckpointAge'),
      id: `CheckpointAge${idOf(cluster)}`,
      name: `checkpoint-age-${cluster}`,
      description: `The checkpoint of cluster ${cluster} does not advance: a queue or the archive does not accept what is sent, or no forwarder reports. See docs/recovery.md#what-you-see-and-what-to-do.`,
      above: 300,
    },
  ];
}

const immediately = { periods: { of: 1, least: 1 } };
/** A transient failure, such as a server's restart, is no alarm. */
const persisting = { periods: { of: 3, least: 2 } };

/** The dimensions of the messages. */
interface MessageSource {
  deployment: string;
  cluster: string;
}

interface FailureAlarmText {
  meaning: string;
  periods: { of: number; least: number };
  runbook?: string;
}

const credentials = { runbook: 'docs/recovery.md#the-credentials-of-a-cluster-are-refused' };

/** The failure reasons that someone must act on before the messages are dead letters. */
const reasons: [FailureReason, FailureAlarmText][] = [
  ['Denied', { meaning: 'a function lacks a permission there: apply manifests/rbac', ...immediately }],
  [
    'Unauthorized',
    { meaning: 'its API server does not accept the credentials: renew them', ...persisting, ...credentials },
  ],
  ['NoAccess', { meaning: 'its credentials cannot be read: check the secrets', ...persisting, ...credentials }],
  [
    'Throttled',
    {
      meaning: 'its API server asks for fewer calls: lower step-maximum-concurrency',
      ...persisting,
      runbook: 'docs/deploying.md#concurrency',
    },
  ],
  ['Unreachable', { meaning: 'its API server does not answer', ...persisting }],
  [
    'Rejected',
    { meaning: 'its API server rejects writes that it should accept: report it, with the error', ...immediately },
  ],
  [
    'Mistake',
    {
      meaning: 'of a bug in Longshore: report it, with the error',
      ...immediately,
      runbook: 'docs/recovery.md#a-function-is-faulty',
    },
  ],
];

/** Unreadable messages, and those of an unknown cluster, are counted without a cluster. */
const withoutCluster: [FailureReason, FailureAlarmText][] = [
  ['LaterMessage', { meaning: 'a later release wrote them: deploy it again', ...immediately }],
  ['Malformed', { meaning: 'someone else has put them on a queue', ...immediately }],
  ['UnknownCluster', { meaning: 'their cluster is not in the parameter clusters', ...immediately }],
];

function failureAlarm({ deployment, cluster }: MessageSource, reason: FailureReason, what: FailureAlarmText): Alarm {
  const { meaning, periods, ...more } = what;
  const { runbook = 'docs/recovery.md#what-you-see-and-what-to-do' } = more;
  const where = cluster === 'unknown' ? '' : ` of cluster ${cluster}`;
  return {
    ...metricNamed('MessagesFailed'),
    id: `Failing${reason}${idOf(cluster)}`,
    name: `failing-${reason}-${cluster}`,
    description: `Messages${where} fail, because ${meaning}. They are tried eight times within 36 minutes. Then they become dead letters, and "longshore redrive" sends them again. See ${runbook}.`,
    dimensions: { Deployment: deployment, Cluster: cluster, Reason: reason },
    statistic: 'Sum',
    above: 0,
    periodSeconds: 300,
    periods,
  };
}
