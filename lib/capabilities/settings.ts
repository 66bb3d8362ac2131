import type { Cluster } from '../kubernetes/cluster.ts';
import { nameOf, resources } from '../kubernetes/resources.ts';

/** What an administrator sets in the cluster itself, and what holds from the next step on, without a deployment. */
export interface Settings {
  transfersByRequest: Switch;
  transfersByAnnotation: Switch;
  buckets: Switch;
  snapshots: Switch;
  dataPopulated: Switch;
  /** Whether a claim may accept a volume that is larger than what it asks for, and what a quota counts. */
  smallerRequests: Switch;
}

/** Why something is off is told to the users who wait for it. */
export type Switch = { isOn: true } | { isOn: false; reason: string };

const place = nameOf(resources.configMap, 'longshore-system', 'longshore');

/** Without the ConfigMap, or without a key in it, everything is on but what lets users round a quota. */
export async function readSettings(cluster: Cluster): Promise<Settings> {
  const { data = {} } = (await cluster.get(place)) ?? {};
  return {
    transfersByRequest: readSwitch('transfers-by-request', data),
    transfersByAnnotation: readSwitch('transfers-by-annotation', data),
    buckets: readSwitch('buckets', data),
    snapshots: readSwitch('snapshots', data),
    dataPopulated: readSwitch('data-populated', data),
    smallerRequests: readSwitch('accept-with-smaller-requests', data, 'off'),
  };
}

/** What is neither on nor off was not meant to be on: nothing begins until somebody says what was meant. */
function readSwitch(key: string, data: Record<string, string>, preset: 'on' | 'off' = 'on'): Switch {
  const value = data[key] ?? preset;
  if (value === 'on') return { isOn: true };
  const where = `in ConfigMap ${place.namespace}/${place.name}`;
  const problem = value === 'off' ? `is off ${where}` : `is ${JSON.stringify(value)} ${where}, but must be on or off`;
  return { isOn: false, reason: `${key} ${problem}: an administrator of the cluster can turn it on` };
}
