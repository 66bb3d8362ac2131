import { dataSources as routed } from '../../../lib/capabilities/data-sources/capability.ts';
import { resources } from '../../../lib/kubernetes/resources.ts';
import { dataSourceSteps } from '../../support/steps.ts';
import type { Capability, CapabilityRun } from '../capability.ts';
import type { FakeCluster } from '../fake-cluster.ts';
import type { Random } from '../random.ts';
import { DataSourceControllers } from './controllers.ts';
import { checkEnd } from './end.ts';
import { FakeCsiDriver } from './fake-csi-driver.ts';
import { Holdings } from './holdings.ts';
import { DataSourceInvariants } from './invariants.ts';
import { mutants } from './mutants.ts';
import { driverName } from './objects.ts';
import { DataSourceScenario } from './scenario.ts';
import { userActions } from './user-actions.ts';

export const dataSources: Capability = {
  name: 'data-sources',
  userActions,
  mutants,
  watchedKinds: routed.resources,
  // A list may be stale where the step says that it may. What is got by name is not, and what a volume says is final.
  staleKinds: [resources.claim, resources.snapshot, resources.snapshotContent],
  rateLimiter: 8,
  begin,
};

function begin(cluster: FakeCluster, random: Random): CapabilityRun {
  const csi = new FakeCsiDriver(cluster, { name: driverName });
  const disk = csi.diskOf(driverName);
  const holdings = new Holdings(cluster, disk);
  const scenario = new DataSourceScenario(cluster, csi, random);
  const controllers = new DataSourceControllers(cluster, csi, scenario);
  scenario.takeFirstSnapshots(() => {
    for (let before = -1; before !== cluster.changes.length; ) {
      before = cluster.changes.length;
      controllers.syncAll();
    }
  });
  const invariants = new DataSourceInvariants(cluster, holdings, scenario);
  return {
    stepsFor: () => dataSourceSteps,
    scenario,
    invariants,
    controllers,
    checkEnd: () => checkEnd({ cluster, disk, holdings, scenario, wishes: invariants.wishes }),
  };
}
