import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import { selfSignedCertificate } from '../../tools/control-plane/certificate.ts';
import { startControlPlane } from '../../tools/control-plane/control-plane.ts';
import type { ControlPlane } from '../../tools/control-plane/control-plane-options.ts';
import { serviceAccountKubeconfig } from '../../tools/control-plane/manifests.ts';
import { CommandHost } from '../support/command-host.ts';
import { administratorsApi } from './case-install.ts';

/** Whoever types a command: in namespace team-a with the roles that every cluster has, or for the whole cluster. */
export const people = ['nobody', 'view', 'edit', 'admin', 'cluster-admin'] as const;
export type Person = (typeof people)[number];

/** What else may be wrong with a kubeconfig. */
export const mishaps = ['refused', 'unauthorized', 'other-authority', 'other-name'] as const;
export type Mishap = (typeof mishaps)[number];

const rbac = 'rbac.authorization.k8s.io';
type Administrator = Awaited<ReturnType<typeof administratorsApi>>;

interface Kubeconfig {
  clusters: [{ cluster: Record<string, string> }];
  users: [{ user: { token?: string } }];
}

/** An empty cluster with two namespaces, and people with kubeconfigs of their own. */
export function clusterOfPeople() {
  let plane: ControlPlane | undefined;
  let folder = '';
  let administrator: Administrator | undefined;
  let host: CommandHost | undefined;
  const api = () => (administrator as Administrator).api;
  const kubeconfig = (name: Person | Mishap) => join(folder, name);

  beforeAll(async () => {
    [plane, folder] = await Promise.all([startControlPlane({ own: true }), mkdtemp(join(tmpdir(), 'people-'))]);
    administrator = await administratorsApi(plane.kubeconfigPath, 'people');
    host = new CommandHost();
    for (const name of ['team-a', 'team-b']) {
      await api().create('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    }
    for (const person of people) await writeFile(kubeconfig(person), await kubeconfigFor(person, plane, api()));
    const admin = await readFile(kubeconfig('admin'), 'utf8');
    const change = (name: Mishap, edit: (config: Kubeconfig) => void) => {
      const config: Kubeconfig = JSON.parse(admin);
      edit(config);
      return writeFile(kubeconfig(name), JSON.stringify(config));
    };
    const authority = Buffer.from(selfSignedCertificate().cert).toString('base64');
    await change('refused', ({ clusters: [{ cluster }] }) => Object.assign(cluster, { server: 'https://127.0.0.1:9' }));
    await change('unauthorized', ({ users: [{ user }] }) => Object.assign(user, { token: 'e30.eyJleHAiOjE3fQ.x' }));
    await change('other-authority', ({ clusters: [{ cluster }] }) =>
      Object.assign(cluster, { 'certificate-authority-data': authority }),
    );
    await change('other-name', ({ clusters: [{ cluster }] }) =>
      Object.assign(cluster, { server: 'https://cluster.invalid:6443' }),
    );
  });
  afterAll(async () => {
    host?.stop();
    administrator?.close();
    await plane?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  return {
    api,
    kubeconfig,
    /** A server that takes connections, and says nothing. */
    silent: async () => {
      const server = createServer((socket) => socket.on('error', () => {}).resume());
      await once(server.listen(0, '127.0.0.1'), 'listening');
      const { port } = server.address() as AddressInfo;
      const path = join(folder, 'silent');
      const refused = await readFile(kubeconfig('refused'), 'utf8');
      await writeFile(path, refused.replace('127.0.0.1:9"', `127.0.0.1:${port}"`));
      return { kubeconfig: path, asked: once(server, 'connection'), stop: () => server.close() };
    },
    run: (name: Person | Mishap, words: readonly string[], options?: Parameters<CommandHost['run']>[2]) =>
      (host as CommandHost).run(words, kubeconfig(name), options),
  };
}

async function kubeconfigFor(person: Person, { kubeconfigPath }: ControlPlane, api: Administrator['api']) {
  if (person === 'cluster-admin') return readFile(kubeconfigPath, 'utf8');
  const account = { namespace: 'team-a', name: person };
  await api.create('/api/v1/namespaces/team-a/serviceaccounts', {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: person },
  });
  if (person !== 'nobody') {
    await api.create(`/apis/${rbac}/v1/namespaces/team-a/rolebindings`, {
      apiVersion: `${rbac}/v1`,
      kind: 'RoleBinding',
      metadata: { name: person },
      roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: person },
      subjects: [{ kind: 'ServiceAccount', ...account }],
    });
  }
  return serviceAccountKubeconfig(kubeconfigPath, account);
}
