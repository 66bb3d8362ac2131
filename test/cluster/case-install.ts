import { readFile } from 'node:fs/promises';
import { ClusterApi } from '../../cli/connect/cluster-api.ts';
import { fieldManager } from '../../lib/install/field-manager.ts';
import { accessFromKubeconfig } from '../../lib/kubernetes/access/embedded-kubeconfig.ts';
import { Connection } from '../../lib/kubernetes/connection.ts';
import type { RunOptions } from '../support/longshore-command.ts';

const interrupting = new URL('./interrupt-itself.ts', import.meta.url).href;

/** Stops the command as Ctrl-C does, as soon as it has done so many things. */
export function interruptedAfter(count: number): RunOptions {
  return { node: ['--import', interrupting], environment: { LONGSHORE_TEST_INTERRUPTED_AFTER: `${count}` } };
}

/** The calls of the command line, with an administrator's rights. */
export async function administratorsApi(kubeconfig: string, manager: string = fieldManager) {
  const connection = new Connection(accessFromKubeconfig(await readFile(kubeconfig, 'utf8')));
  return { connection, api: new ClusterApi(connection, { manager }), close: () => connection.close() };
}

interface Discovered {
  groups: { versions: { groupVersion: string }[] }[];
}

/** What comes and goes by itself. */
const passing = ['events', 'leases', 'endpoints', 'endpointslices', 'componentstatuses', 'servicecidrs', 'ipaddresses'];

/** The names of all objects of all kinds, and what people may do by the roles that add up others. */
export async function everythingIn(api: ClusterApi): Promise<string[]> {
  const { groups } = (await api.get<Discovered>('/apis')) ?? { groups: [] };
  const versions = groups.flatMap((group) => group.versions.map(({ groupVersion }) => `/apis/${groupVersion}`));
  const found: string[] = [];
  for (const root of ['/api/v1', ...versions]) {
    const kinds = (await api.get<{ resources: { name: string; verbs: string[] }[] }>(root))?.resources ?? [];
    for (const { name, verbs } of kinds) {
      if (!verbs.includes('list') || passing.includes(name)) continue;
      for (const { metadata } of (await api.list(`${root}/${name}`)) ?? []) {
        found.push(`${root}/${name}/${metadata.namespace ?? ''}/${metadata.name}`);
      }
    }
  }
  for (const role of ['view', 'edit', 'admin']) {
    const path = `/apis/rbac.authorization.k8s.io/v1/clusterroles/${role}`;
    found.push(`${role} may ${JSON.stringify((await api.get(path))?.rules)}`);
  }
  return found.sort();
}
