import { type Alarm, idOf, metricNamed } from './alarm.ts';
import type { DeploymentContext } from './deployment-context.ts';

/** Silence has to be noticed for each cluster, as one that reports would hide another one that does not. */
export function alarmsOfForwarders({ name: deployment, parameters }: DeploymentContext): Alarm[] {
  // A forwarder that runs elsewhere as a process reports to Prometheus.
  if (!parameters['forward-schedule']) return [];
  return parameters.clusters.map(({ name: cluster }) => ({
    id: `Forwarder${idOf(cluster)}`,
    name: `forwarder-${cluster}`,
    description: `Nothing new happens in cluster ${cluster}, or later than it should: changes have waited for two minutes to be forwarded, or the checkpoint has not advanced for five, or no forwarder reports. Nothing is lost, and the work is done later. Its log has ForwarderLag and CheckpointAge of each minute. See docs/recovery.md#what-you-see-and-what-to-do.`,
    metrics: [metricNamed('ForwarderDelay', 'Maximum', { Deployment: deployment, Cluster: cluster })],
    above: 120,
    periodSeconds: 60,
    periods: { of: 5, least: 5 },
    missingData: 'breaching',
  }));
}

const whatNext =
  'The dashboard and the log "message failed" say of which cluster and function. Messages are tried eight times within 36 minutes. Then they become dead letters, and "longshore redrive" sends them again. See docs/recovery.md#what-you-see-and-what-to-do.';

/** Failures of messages that someone must act on before these are dead letters. */
export function alarmsOfFailures({ name: deployment }: DeploymentContext): Alarm[] {
  const shared = { above: 0, periodSeconds: 300 };
  const ofDeployment = { Deployment: deployment };
  return [
    {
      ...shared,
      id: 'UrgentFailures',
      name: 'urgent-failures',
      description: `Messages fail for a reason that does not end by itself. Denied: a function lacks a permission, apply manifests/rbac. Rejected: an API server rejects writes that it should accept, report it. Mistake: a bug in Longshore, report it, see docs/recovery.md#a-function-is-faulty. LaterMessage: a later release wrote them, deploy it again. Malformed: someone else put them on a queue. UnknownCluster: their cluster is not in the parameter clusters. ${whatNext}`,
      metrics: [metricNamed('UrgentFailures', 'Sum', ofDeployment)],
    },
    {
      ...shared,
      id: 'OutageFailures',
      name: 'outage-failures',
      description: `Messages fail for some minutes for a reason that may end by itself. Unreachable: an API server does not answer. Throttled: it asks for fewer calls, lower step-maximum-concurrency. Unauthorized, NoAccess: the credentials are refused or cannot be read, see docs/recovery.md#the-credentials-of-a-cluster-are-refused. ${whatNext}`,
      metrics: [metricNamed('OutageFailures', 'Sum', ofDeployment)],
      // A transient failure, such as a server's restart, is no alarm.
      periods: { of: 3, least: 2 },
    },
  ];
}
