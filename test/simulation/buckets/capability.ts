import { buckets as routed } from '../../../lib/capabilities/buckets/capability.ts';
import { resources } from '../../../lib/kubernetes/resources.ts';
import { bucketSteps } from '../../support/steps.ts';
import type { Capability, CapabilityRun } from '../capability.ts';
import type { FakeCluster } from '../fake-cluster.ts';
import type { Random } from '../random.ts';
import { BucketControllers } from './controllers.ts';
import { checkEnd } from './end.ts';
import { GatedStore } from './gated-store.ts';
import { BucketInvariants } from './invariants.ts';
import { mutants } from './mutants.ts';
import { identity } from './objects.ts';
import { BucketScenario } from './scenario.ts';
import { userActions } from './user-actions.ts';

export const buckets: Capability = {
  name: 'buckets',
  userActions,
  mutants,
  watchedKinds: routed.resources,
  staleKinds: [resources.bucketContent, resources.secret],
  begin,
};

function begin(cluster: FakeCluster, random: Random): CapabilityRun {
  const store = new GatedStore(cluster.now);
  const scenario = new BucketScenario(cluster, store, random);
  let workers = 0;
  return {
    stepsFor: (gate) => {
      workers += 1;
      return bucketSteps({ drivers: store.driversFor(gate), identity, worker: `worker-${workers}` });
    },
    scenario,
    invariants: new BucketInvariants(cluster, store, scenario),
    controllers: new BucketControllers(cluster, scenario.successor),
    checkEnd: () => checkEnd(cluster, store, scenario),
  };
}
