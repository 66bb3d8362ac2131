import * as v from 'valibot';
import { dimension, object } from '../runtime/config-values.ts';
import { accessConfig } from './access/access-config.ts';

const clusterConfig = object({ name: dimension, access: accessConfig });

export type ClusterConfig = v.InferOutput<typeof clusterConfig>;

export const clustersAccept =
  'a JSON array of at least one cluster, such as [{"name":"main","access":{"type":"kubeconfig","from":"ssm:…"}}]';

/** The clusters of a deployment. No two have the same name. */
export const clusterConfigs = v.pipe(
  v.array(clusterConfig, `must be ${clustersAccept}`),
  v.minLength(1, `must be ${clustersAccept}`),
  v.check(
    (clusters) => sameName(clusters) === undefined,
    ({ input }) => `has two clusters named ${JSON.stringify(sameName(input as ClusterConfig[]))}`,
  ),
);

function sameName(clusters: readonly ClusterConfig[]): string | undefined {
  const names = clusters.map(({ name }) => name);
  return names.find((name, index) => names.indexOf(name) !== index);
}
