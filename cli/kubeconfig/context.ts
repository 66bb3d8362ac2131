import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Access } from '../../lib/kubernetes/access/api-access.ts';
import { NoAccess } from '../../lib/kubernetes/access/no-access.ts';
import { serverAddress } from '../../lib/kubernetes/server-address.ts';
import { errorText } from '../../lib/runtime/error-text.ts';
import { ExecCredential } from './exec-credential.ts';
import { readExec } from './exec-settings.ts';
import type { Entry, Fields, Kubeconfig } from './read-kubeconfigs.ts';
import { tokenFrom } from './token-file.ts';

/** A cluster of a kubeconfig, and how to get access to it: each time what the files and the program say then. */
export interface Context {
  server: string;
  /** The namespace of calls that name none, if the context has one. */
  namespace?: string | undefined;
  access: () => Promise<Access>;
}

type Credentials = Omit<Access, 'server' | 'certificateAuthority'>;

/** What cannot be used is refused at once; files and programs are read when access is needed. */
export function contextOf(config: Kubeconfig, name: string): Context {
  const refuse = (problem: string) => new Error(`the context ${name} of the kubeconfig cannot be used: ${problem}`);
  const context = config.contexts.get(name);
  if (!context) {
    const names = [...config.contexts.keys()].join(', ') || 'none';
    throw new Error(`the kubeconfig has no context ${name}; it has ${names}`);
  }
  const part = (kind: 'cluster' | 'user', entries: ReadonlyMap<string, Entry>): Entry => {
    const named = context.fields[kind];
    const entry = typeof named === 'string' ? entries.get(named) : undefined;
    if (!entry) throw refuse(`there is no ${kind} named ${JSON.stringify(named)}`);
    return entry;
  };
  const cluster = part('cluster', config.clusters);
  const user = part('user', config.users);
  const problem = problemOfCluster(cluster.fields) ?? problemOfUser(user.fields);
  if (problem) throw refuse(problem);
  const server = String(cluster.fields.server);
  serverAddress(server);
  const certificateAuthority = pemOf(cluster, 'certificate-authority');
  const credentials = credentialsOf(user, cluster, refuse);
  const access = async () => {
    const [authority, given] = await Promise.all([certificateAuthority(), credentials()]);
    return { server, ...(authority === undefined ? {} : { certificateAuthority: authority }), ...given };
  };
  const { namespace } = context.fields;
  return { server, namespace: typeof namespace === 'string' && namespace !== '' ? namespace : undefined, access };
}

function problemOfCluster(cluster: Fields): string | undefined {
  if (typeof cluster.server !== 'string') return 'its cluster has no server';
  if (cluster['insecure-skip-tls-verify'])
    return 'insecure-skip-tls-verify is set, but Longshore always verifies TLS: set certificate-authority instead';
  const unknown = ['tls-server-name', 'proxy-url'].find((each) => cluster[each]);
  return unknown && `its cluster has ${unknown}, which Longshore does not support`;
}

function problemOfUser(user: Fields): string | undefined {
  const acting = ['as', 'as-uid', 'as-groups', 'as-user-extra'].find((each) => user[each]);
  if (acting)
    return `its user has ${acting}, but Longshore does not impersonate users: use credentials of the user that is meant`;
  if (user['auth-provider']) return 'its user has an auth-provider, which kubectl has replaced by exec: use that';
  if (user.username || user.password)
    return 'its user has a password, which API servers do not accept any more: use a token or a certificate';
  return undefined;
}

/** Of several the token counts, as for kubectl: first the one in a file, then the one in the kubeconfig, then a program's. */
function credentialsOf(user: Entry, cluster: Entry, refuse: (problem: string) => Error): () => Promise<Credentials> {
  const { token, tokenFile, exec } = user.fields;
  const certificate = certificateOf(user, refuse);
  if (typeof tokenFile === 'string' && tokenFile !== '') {
    const path = resolve(user.folder, tokenFile);
    return async () => ({ ...(await certificate?.()), token: tokenFrom(path) });
  }
  if (typeof token === 'string' && token !== '') {
    return async () => ({ ...(await certificate?.()), token: async () => token });
  }
  if (exec) {
    const program = new ExecCredential(readExec(exec, user.folder, refuse), pemOf(cluster, 'certificate-authority'), {
      server: String(cluster.fields.server),
      extensions: cluster.fields.extensions,
    });
    return async () => ({ ...(await certificate?.()), ...(await program.access()) });
  }
  if (certificate) return certificate;
  throw refuse('its user has no token, no tokenFile, no exec, and no client-certificate with client-key');
}

function certificateOf(user: Entry, refuse: (problem: string) => Error): (() => Promise<Credentials>) | undefined {
  const has = (name: string) => Boolean(user.fields[name] || user.fields[`${name}-data`]);
  if (!has('client-certificate') && !has('client-key')) return undefined;
  const lacking = ['client-certificate', 'client-key'].find((each) => !has(each));
  if (lacking) throw refuse(`its user has no ${lacking}, which goes with the other half`);
  const [certificate, key] = [pemOf(user, 'client-certificate'), pemOf(user, 'client-key')];
  return async () => {
    const [clientCertificate = '', clientKey = ''] = await Promise.all([certificate(), key()]);
    return { clientCertificate, clientKey };
  };
}

/** The data in base64 counts, and otherwise the file, which is read anew each time as it may have been replaced. */
function pemOf({ fields, folder }: Entry, name: string): () => Promise<string | undefined> {
  const data = fields[`${name}-data`];
  if (typeof data === 'string' && data !== '') return async () => Buffer.from(data, 'base64').toString('utf8');
  const file = fields[name];
  if (typeof file !== 'string' || file === '') return async () => undefined;
  const path = resolve(folder, file);
  return () =>
    readFile(path, 'utf8').catch((error: unknown) => {
      throw new NoAccess(new Error(`the ${name} ${path} of the kubeconfig cannot be read: ${errorText(error)}`));
    });
}
