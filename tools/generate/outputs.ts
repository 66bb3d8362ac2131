import { declarations } from '../../lib/compose/declarations.ts';
import { groupOf } from '../../lib/kubernetes/resources.ts';
import { commandReference } from './command-reference.ts';
import { cheaperTable, costTable } from './cost-table.ts';
import { typesOf } from './crd-types.ts';
import { type Definition, definitions } from './definitions.ts';
import { eksAccess, eksGroups } from './eks.ts';
import { capabilityTable, functionTable, queueTable, withFunctionLoop } from './function-tables.ts';
import { installModule } from './install-manifests.ts';
import { metricTable } from './metric-table.ts';
import { mutatingPolicies } from './mutating-policies.ts';
import { parameterTable } from './parameter-table.ts';
import { roleManifest, settingsManifest } from './rbac.ts';
import { reasonLists, reasonTable } from './reason-tables.ts';
import { awsTable, clusterTable, dangerTable } from './role-tables.ts';
import { runManifest } from './run-role.ts';
import { withTable } from './table.ts';
import { variableTable } from './variable-table.ts';

/** A file of the repository that is generated, or has a generated part. */
export interface Output {
  path: string;
  /** The file as it should be, given its present content; empty if it does not exist. */
  make(present: string): string;
}

/** The file for the types of each group's kinds. */
const typeFiles = [
  { group: 'cosi.io', path: 'lib/capabilities/buckets/crds.ts', kubernetes: '../../kubernetes' },
  { group: 'snapshot.storage.k8s.io', path: 'lib/capabilities/data-sources/crds.ts', kubernetes: '../../kubernetes' },
  { group: 'transfer.storage.k8s.io', path: 'lib/kubernetes/transfer-crds.ts', kubernetes: '.' },
];

export const groupsWithTypes: readonly string[] = typeFiles.map(({ group }) => group);

const root = new URL('../../', import.meta.url);

/** In the order in which they are written: some read the results of earlier ones. */
export const outputs: readonly Output[] = [
  ...typeFiles.map(({ group, path, kubernetes }) => ({ path, make: () => typesOf(known(group), kubernetes) })),
  ...declarations
    .filter(({ permissions }) => permissions.length > 0)
    .map((each) => ({ path: `manifests/rbac/${each.name}.yaml`, make: () => roleManifest(each) })),
  { path: 'lib/admission-webhook/mutating-policies.ts', make: mutatingPolicies },
  { path: 'manifests/rbac/settings.yaml', make: () => settingsManifest(declarations) },
  { path: 'deployment/run.yaml', make: () => runManifest(declarations) },
  { path: 'lib/install/manifests.ts', make: () => installModule(declarations) },
  { path: 'deployment/eks-access.yml', make: (present) => eksAccess(present, declarations) },
  { path: 'deployment/eks-groups.yaml', make: (present) => eksGroups(present, new URL('manifests/rbac/', root)) },
  { path: 'docs/commands.md', make: commandReference },
  tableOf('docs/architecture.md', 'functions', functionTable),
  tableOf('docs/deploying.md', 'capabilities', capabilityTable),
  tableOf('docs/forwarder.md', 'queues', queueTable),
  tableOf('docs/configuration.md', 'parameters', parameterTable),
  tableOf('docs/configuration.md', 'variables', variableTable),
  tableOf('docs/cost.md', 'cost', costTable),
  tableOf('docs/cost.md', 'cheaper', cheaperTable),
  tableOf('docs/observing.md', 'metrics', metricTable),
  { path: 'docs/configuration.md', make: withFunctionLoop },
  ...Object.keys(reasonLists).map((name) => tableOf('docs/reasons.md', name, () => reasonTable(name))),
  tableOf('docs/security.md', 'cluster', clusterTable),
  tableOf('docs/security.md', 'aws', awsTable),
  tableOf('docs/security.md', 'dangers', dangerTable),
];

function known(group: string): Definition[] {
  return definitions().filter(({ part, apiVersion }) => part !== undefined && groupOf({ apiVersion }) === group);
}

function tableOf(path: string, name: string, make: (page: string) => string): Output {
  return { path, make: (page) => withTable(page, name, make(page)) };
}
