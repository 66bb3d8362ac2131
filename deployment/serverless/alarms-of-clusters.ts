import type { FailureReason } from '../../lib/runtime/failure.ts';
import type { Measurement } from '../../lib/runtime/metrics.ts';
import { type Alarm, idOf } from './alarm.ts';
import type { Surroundings } from './surroundings.ts';

/** The names by which the functions count, so that neither can change without the other. */
const counted = (metric: Measurement['name']) => ({ namespace: 'Longshore', metric }) as const;

export function alarmsOfClusters({ name: deployment, parameters }: Surroundings): Alarm[] {
  return [
    ...parameters.clusters.flatMap(({ name }) => [
      // A forwarder that runs elsewhere as a process tells Prometheus.
      ...(parameters['forward-schedule'] ? alarmsOfForwarder(deployment, name) : []),
      ...reasons.map(([reason, what]) => failing({ deployment, cluster: name }, reason, what)),
    ]),
    ...withoutCluster.map(([reason, what]) => failing({ deployment, cluster: 'unknown' }, reason, what)),
  ];
}

function alarmsOfForwarder(deployment: string, cluster: string): Alarm[] {
  const shared = {
    dimensions: { Deployment: deployment, Cluster: cluster },
    statistic: 'Maximum',
    periodSeconds: 60,
    periods: { of: 5, least: 5 },
    silence: 'breaching',
  } as const;
  return [
    {
      ...shared,
      ...counted('ForwarderLag'),
      id: `ForwarderLag${idOf(cluster)}`,
      name: `forwarder-lag-${cluster}`,
      description: `Changes of cluster ${cluster} have waited for minutes to be forwarded, or no forwarder reports: nothing new happens there. Nothing is lost, and the work is done later. See docs/forwarder.md#what-goes-wrong.`,
      above: 120,
    },
    {
      ...shared,
      ...counted('CheckpointAge'),
      id: `CheckpointAge${idOf(cluster)}`,
      name: `checkpoint-age-${cluster}`,
      description: `The checkpoint of cluster ${cluster} does not advance: a queue or the archive does not accept what is sent, or no forwarder reports. See docs/recovery.md#what-you-see-and-what-to-do.`,
      above: 300,
    },
  ];
}

const atOnce = { periods: { of: 1, least: 1 } };
/** What passes by itself, as when a server restarts, is none. */
const persisting = { periods: { of: 3, least: 2 } };

/** Whose messages they are. */
interface Counted {
  deployment: string;
  cluster: string;
}

interface Failing {
  meaning: string;
  periods: { of: number; least: number };
  runbook?: string;
}

const credentials = { runbook: 'docs/recovery.md#the-credentials-of-a-cluster-are-refused' };

/** Why messages fail, as far as somebody has to do something about it before they are dead letters. */
const reasons: [FailureReason, Failing][] = [
  ['Denied', { meaning: 'a function lacks a right there: apply manifests/rbac', ...atOnce }],
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
    { meaning: 'its API server rejects writes that it should accept: report it, with the error', ...atOnce },
  ],
  [
    'Mistake',
    {
      meaning: 'of a bug in Longshore: report it, with the error',
      ...atOnce,
      runbook: 'docs/recovery.md#a-function-is-faulty',
    },
  ],
];

/** What cannot be read, or is from nowhere, is counted for no cluster. */
const withoutCluster: [FailureReason, Failing][] = [
  ['LaterMessage', { meaning: 'a later release wrote them: deploy it again', ...atOnce }],
  ['Malformed', { meaning: 'someone else has put them on a queue', ...atOnce }],
  ['UnknownCluster', { meaning: 'their cluster is not in the parameter clusters', ...atOnce }],
];

function failing({ deployment, cluster }: Counted, reason: FailureReason, what: Failing): Alarm {
  const { meaning, periods, ...more } = what;
  const { runbook = 'docs/recovery.md#what-you-see-and-what-to-do' } = more;
  const where = cluster === 'unknown' ? '' : ` of cluster ${cluster}`;
  return {
    ...counted('MessagesFailed'),
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
