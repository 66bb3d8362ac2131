import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { ClusterApi } from '../../cli/connect/cluster-api.ts';
import { fieldManager } from '../../lib/install/field-manager.ts';
import { accessFromKubeconfig } from '../../lib/kubernetes/access/embedded-kubeconfig.ts';
import { Connection } from '../../lib/kubernetes/connection.ts';
import { bareEnvironment } from '../support/bare-environment.ts';

const main = fileURLToPath(new URL('../../cli/main.ts', import.meta.url));
const interrupting = new URL('./interrupt-itself.ts', import.meta.url).href;

/** Of the process of a command. */
interface OwnOptions {
  node?: readonly string[];
  environment?: Record<string, string>;
}

export interface Ended {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a command of the command line, without a terminal. */
export async function longshore(
  kubeconfig: string,
  args: readonly string[],
  ownOptions: OwnOptions = {},
): Promise<Ended> {
  const env = bareEnvironment({ HOME: '/nowhere', KUBECONFIG: kubeconfig, ...ownOptions.environment });
  const options = [...(ownOptions.node ?? []), main, ...args];
  const child = spawn(process.execPath, options, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended: Ended = { status: null, stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    ended.stdout += piece;
  });
  child.stderr.setEncoding('utf8').on('data', (piece: string) => {
    ended.stderr += piece;
  });
  const [status] = await once(child, 'close');
  return { ...ended, status };
}

/** Stops the command as Ctrl-C does, as soon as it has done so many things. */
export function interruptedAfter(count: number): OwnOptions {
  return { node: ['--import', interrupting], environment: { LONGSHORE_TEST_INTERRUPTED_AFTER: `${count}` } };
}

/** The calls of the command line, with an administrator's rights. */
export async function administratorsApi(kubeconfig: string, manager: string = fieldManager) {
  const connection = new Connection(accessFromKubeconfig(await readFile(kubeconfig, 'utf8')));
  return { connection, api: new ClusterApi(connection, manager), close: () => connection.close() };
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
