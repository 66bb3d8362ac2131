import { transfersByAnnotation } from '../../../lib/capabilities/transfers/by-annotation/capability.ts';
import { transfersByRequest } from '../../../lib/capabilities/transfers/by-request/capability.ts';
import type { ClusterObject } from '../../../lib/kubernetes/objects.ts';
import { resources } from '../../../lib/kubernetes/resources.ts';
import { transferSteps } from '../../support/transfer-steps.ts';
import type { Capability, CapabilityRun } from '../capability.ts';
import type { FakeCluster } from '../fake-cluster.ts';
import type { Random } from '../random.ts';
import { TransferControllers } from './controllers.ts';
import { checkEnd } from './end.ts';
import { TransferInvariants } from './invariants.ts';
import { mutants } from './mutants.ts';
import { TransferScenario } from './scenario.ts';
import { userActions } from './user-actions.ts';

export const transfers: Capability = {
  name: 'transfers',
  userActions,
  mutants,
  watchedKinds: [...new Set([transfersByAnnotation, transfersByRequest].flatMap(({ resources }) => resources))],
  staleKinds: [resources.claim, resources.volume],
  begin,
};

function begin(cluster: FakeCluster, random: Random): CapabilityRun {
  let invariants: TransferInvariants | undefined;
  const beforeDeletion = (object: ClusterObject) => invariants?.beforeDeletion(object);
  const scenario = new TransferScenario(cluster, random, beforeDeletion);
  invariants = new TransferInvariants(cluster);
  const judge = invariants;
  return {
    stepsFor: () => transferSteps,
    scenario,
    invariants,
    controllers: new TransferControllers(cluster, {
      obey: () => scenario.obey(),
      react: () => scenario.hasty.react(random),
      beforeDeletion,
    }),
    checkEnd: () => checkEnd(cluster, scenario, judge),
  };
}
