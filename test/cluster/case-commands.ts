import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll } from '@jest/globals';
import type { ClusterObject } from '../../lib/kubernetes/objects.ts';
import { serviceAccountKubeconfig } from '../../tools/control-plane/manifests.ts';
import { bareEnvironment } from '../support/bare-environment.ts';
import type { ClusterClient } from '../support/cluster-client.ts';
import { until } from '../support/patience.ts';

const main = fileURLToPath(new URL('../../cli/main.ts', import.meta.url));

/** A command as a person calls it, with that person's kubeconfig. */
export class Call {
  out = '';
  err = '';
  private readonly child: ChildProcess;
  private readonly ended: Promise<unknown[]>;

  constructor(kubeconfig: string, program: string, args: readonly string[]) {
    const env = bareEnvironment({ HOME: '/nowhere', KUBECONFIG: kubeconfig });
    this.child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.child.stdout?.setEncoding('utf8').on('data', (piece: string) => {
      this.out += piece;
    });
    this.child.stderr?.setEncoding('utf8').on('data', (piece: string) => {
      this.err += piece;
    });
    this.ended = once(this.child, 'close');
  }

  async code(): Promise<unknown> {
    const [code, signal] = await this.ended;
    return code ?? signal;
  }

  async says(text: string): Promise<void> {
    await until(`it says ${text}`, async () => this.err.includes(text), { found: () => this.err });
  }

  interrupt(): void {
    this.child.kill('SIGINT');
  }
}

export function callOf(kubeconfig: string, ...args: string[]): Call {
  return new Call(kubeconfig, process.execPath, [main, ...args]);
}

/** Rights of a person in a namespace: whoever may edit there, with Longshore's kinds. */
const rules = [
  { apiGroups: [''], resources: ['persistentvolumeclaims'], verbs: ['get', 'list', 'create', 'patch', 'delete'] },
  { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] },
  {
    apiGroups: ['transfer.storage.k8s.io', 'cosi.io', 'snapshot.storage.k8s.io'],
    resources: ['storagetransferrequests', 'storagetransferapprovals', 'buckets', 'volumesnapshotlinks'],
    verbs: ['get', 'list', 'create', 'delete'],
  },
];

/** People with kubeconfigs of their own. */
export function people(client: () => ClusterClient, kubeconfig: () => string) {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'longshore-people-'));
  });
  afterAll(() => rm(folder, { recursive: true }));
  return {
    /** The kubeconfig of somebody who may edit in this namespace, and nothing else anywhere. */
    in: async (namespace: string, hasRights = true): Promise<string> => {
      const name = `person-${randomBytes(4).toString('hex')}`;
      const metadata = { namespace, name };
      const make = (object: object) => client().create(object as ClusterObject);
      await make({ apiVersion: 'v1', kind: 'ServiceAccount', metadata });
      const group = 'rbac.authorization.k8s.io';
      await make({ apiVersion: `${group}/v1`, kind: 'Role', metadata, rules: hasRights ? rules : [] });
      const roleRef = { apiGroup: group, kind: 'Role', name };
      const subjects = [{ kind: 'ServiceAccount', namespace, name }];
      await make({ apiVersion: `${group}/v1`, kind: 'RoleBinding', metadata, roleRef, subjects });
      const path = join(folder, name);
      await writeFile(path, await serviceAccountKubeconfig(kubeconfig(), { namespace, name }));
      return path;
    },
    call: callOf,
    /** A line that a command has printed, in a shell, with what a person adds at its end. */
    type: (path: string, line: string, ...more: string[]) => {
      const program = `longshore() { '${process.execPath}' '${main}' "$@"; }; ${line} ${more.join(' ')}`;
      return new Call(path, 'sh', ['-c', program]);
    },
  };
}

/** The line to copy that begins so. */
export function lineIn(text: string, beginning: string): string {
  const found = text.split('\n').find((line) => line.trim().startsWith(beginning));
  if (found === undefined) throw new Error(`no line begins with ${beginning}:\n${text}`);
  return found.trim();
}
