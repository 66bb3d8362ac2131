import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { parseLeaderStatus } from '../../lib/forwarder/leader-status.ts';
import { type LeaseRecord, requestsAnnotation, statusAnnotation } from '../../lib/forwarder/lease-record.ts';
import { maxRequests, parseRetryRequests, type RetryRequest } from '../../lib/forwarder/retry-requests.ts';
import { isClusterError } from '../../lib/kubernetes/errors.ts';
import type { ObjectName } from '../../lib/kubernetes/resources.ts';
import type { ClusterApi } from '../connect/cluster-api.ts';
import { type Leader, leasesPath } from '../operate/leader.ts';

/** `messages`: how many of its messages are tried now. `silent`: the leader took no notice. */
export type Asked = { outcome: 'taken'; messages: number } | { outcome: 'silent' };

/** A leader looks each two seconds; one that is of another kind never does. */
const maxWaitMs = 8_000;
const pollMs = 300;
/** The leader writes the same Lease all the time. */
const maxConflicts = 20;

export async function askLeader(
  api: ClusterApi,
  { identity }: Pick<Leader, 'identity'>,
  name: ObjectName,
): Promise<Asked> {
  const path = `${leasesPath}/forward.${identity}`;
  const { namespace } = name;
  const at = namespace === undefined ? {} : { namespace };
  const request = { id: randomBytes(6).toString('hex'), kind: name.resource.kind, ...at, name: name.name };
  await change(api, path, (waiting) => {
    if (waiting.length >= maxRequests)
      throw new Error(`${maxRequests} requests wait already: the active process does not take them`);
    return [...waiting, request];
  });
  const deadline = performance.now() + maxWaitMs;
  while (performance.now() < deadline) {
    await pause(pollMs);
    const lease = await api.get<LeaseRecord>(path);
    const status = parseLeaderStatus(lease?.metadata.annotations?.[statusAnnotation]);
    const answer = status?.retried.find(({ id }) => id === request.id);
    if (answer) return { outcome: 'taken', messages: answer.messages };
  }
  await change(api, path, (waiting) => waiting.filter(({ id }) => id !== request.id));
  return { outcome: 'silent' };
}

async function change(api: ClusterApi, path: string, edit: (waiting: RetryRequest[]) => RetryRequest[]): Promise<void> {
  for (let conflicts = 0; ; conflicts += 1) {
    const lease = await api.get<LeaseRecord>(path);
    if (!lease) throw new Error('the Lease is gone: no process is active');
    const { resourceVersion, uid, annotations } = lease.metadata;
    const requests = edit(parseRetryRequests(annotations?.[requestsAnnotation]));
    const text = requests.length === 0 ? null : JSON.stringify(requests);
    const body = { metadata: { uid, resourceVersion, annotations: { [requestsAnnotation]: text } } };
    try {
      return void (await api.patch(path, body));
    } catch (error) {
      if (!isClusterError(error, 'conflict') || conflicts === maxConflicts) throw error;
    }
  }
}
