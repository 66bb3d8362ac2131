import type { SQSEvent } from 'aws-lambda';
import type { Bucket, BucketClass } from '../../../../../../lib/capabilities/buckets/objects.ts';
import type { RefusedRequest } from '../../../../../../lib/capabilities/buckets/requests/refused-requests.ts';
import { createRequestHandler } from '../../../../../../lib/capabilities/buckets/steps/request-bucket/requests.ts';
import { UnknownCluster } from '../../../../../../lib/kubernetes/clusters.ts';
import type { ClusterError } from '../../../../../../lib/kubernetes/errors.ts';
import { nameOf, resources } from '../../../../../../lib/kubernetes/resources.ts';
import type { Measurement } from '../../../../../../lib/runtime/metrics.ts';
import { FakeCluster } from '../../../../../simulation/fake-cluster.ts';
import { settings } from './samples.ts';

export const maxReceives = 8;
const now = () => new Date('2026-11-18T14:55:10Z');

/** The handler, with a cluster in memory and everything that it says to anybody. */
export function play(permitted = settings) {
  const cluster = new FakeCluster(now);
  cluster.namespaces.add('team-a', 'team-b');
  const said = {
    buried: [] as RefusedRequest[],
    errors: [] as unknown[],
    passedOver: [] as unknown[],
    measured: [] as Measurement[],
    postponed: [] as [string, number][],
    forgotten: [] as string[],
  };
  /** What the cluster and the queue of dead letters fail with, as long as it is there. */
  const failing: { cluster?: ClusterError; burial?: Error } = {};
  const handle = createRequestHandler(permitted, {
    cluster: async (name) => {
      if (name !== 'main') throw new UnknownCluster(`cluster "${name}" is not configured`);
      if (failing.cluster) throw failing.cluster;
      return cluster;
    },
    forgetCredentials: (name) => void said.forgotten.push(name),
    postpone: async (handle, seconds) => void said.postponed.push([handle, seconds]),
    bury: async (letter) => {
      if (failing.burial) throw failing.burial;
      said.buried.push(letter);
    },
    maxReceives,
    log: {
      info: (message, fields) => void (message === 'event ignored' && said.passedOver.push(fields?.reason)),
      error: (_, fields) => void said.errors.push(fields?.error ?? fields?.reason),
      measure: (...measurements) => {
        // What each function counts of its messages is counted for this one as well.
        said.measured.push(...measurements.filter(({ name }) => name.startsWith('BucketRequests')));
      },
    },
    now,
  });
  const deliver = async (bodies: string[], receiveCount = 1) => {
    const { batchItemFailures } = await handle(eventOf(bodies, receiveCount));
    return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
  };
  return { cluster, said, failing, deliver };
}

/** As the queue delivers it: whatever comes is in the one group. */
function eventOf(bodies: string[], receiveCount: number): SQSEvent {
  const attributes = { MessageGroupId: 'bucket-requests', ApproximateReceiveCount: String(receiveCount) };
  const Records = bodies.map((body, index) => ({
    messageId: `message-${index}`,
    receiptHandle: `receipt-${index}`,
    body,
    attributes,
  }));
  return { Records } as unknown as SQSEvent;
}

export const bucketName = (name: string, namespace = 'team-a') => nameOf(resources.bucket, namespace, name);
export const className = (name: string) => nameOf(resources.bucketClass, undefined, name);

export function bucketOf(name: string, annotations: Record<string, string> = {}, finalizers: string[] = []): Bucket {
  const { apiVersion, kind } = resources.bucket;
  const spec = { bucketClassName: 'fast', secretName: `${name}-credentials` };
  return { apiVersion, kind, metadata: { namespace: 'team-a', name, annotations, finalizers }, spec };
}

export function classOf(name: string, fields: Partial<BucketClass> = {}): BucketClass {
  const { apiVersion, kind } = resources.bucketClass;
  return { apiVersion, kind, metadata: { name }, ...fields };
}
