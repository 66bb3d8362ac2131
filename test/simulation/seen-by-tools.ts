import { conditionOf } from '../../lib/capabilities/buckets/bucket-status.ts';
import type { ClusterObject } from '../../lib/kubernetes/objects.ts';
import { displayName, resources } from '../../lib/kubernetes/resources.ts';
import { verdictOf } from '../support/kstatus.ts';
import type { FakeCluster } from './fake-cluster.ts';

/** What tools make of our objects must be what their status says: an object that is ready, and no other, is Current. */
export function flawSeenByTools(cluster: FakeCluster): string | undefined {
  const flaws = [
    ...cluster.all(resources.transferRequest).map((each) => flawOf(each, each.status?.complete === true)),
    ...cluster.all(resources.transferApproval).map((each) => flawOf(each, each.status?.complete === true)),
    ...cluster.all(resources.bucket).map((each) => {
      const [bound, copied] = [conditionOf(each, 'Bound'), conditionOf(each, 'SecretReady')];
      return flawOf(each, bound?.status === 'True' && copied?.status === 'True');
    }),
    ...cluster.all(resources.bucketContent).map((each) => {
      const { phase, conditions = [] } = each.status ?? {};
      const isLost = conditions.some(({ reason }) => reason === 'BucketLost');
      return flawOf(each, (phase === 'Ready' || phase === 'Bound') && !isLost);
    }),
  ];
  return flaws.find((flaw) => flaw !== undefined);
}

function flawOf(object: ClusterObject, isReady: boolean): string | undefined {
  const { status, message } = verdictOf(object);
  const isAsSaid = status === 'Terminating' || (status === 'Current') === isReady;
  return isAsSaid ? undefined : `tools take ${object.kind} ${displayName(object.metadata)} for ${status}: ${message}`;
}
