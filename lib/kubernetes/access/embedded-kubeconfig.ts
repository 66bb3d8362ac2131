import type { Access } from './api-access.ts';

/**
 * Reads a self-contained kubeconfig: everything embedded, with a token or a client certificate. It must be JSON, which
 * every YAML parser accepts too (`kubectl config view --raw --minify --flatten -o json` writes it), so that no handler
 * bundles a YAML parser.
 */
export function accessFromKubeconfig(text: string): Access {
  const config = parse(text);
  const context = named('context', config['current-context'], config.contexts).context ?? {};
  const cluster = named('cluster', context.cluster, config.clusters).cluster ?? {};
  const user = named('user', context.user, config.users).user ?? {};
  if (cluster['certificate-authority'])
    throw refuse('it refers to a file: create it with `kubectl config view --flatten`');
  if (cluster['insecure-skip-tls-verify'])
    throw refuse('insecure-skip-tls-verify is set: Longshore always verifies TLS');
  if (user.exec || user['auth-provider'])
    throw refuse('its user runs a program to get credentials, which Longshore does not support');
  const unknown = ['tls-server-name', 'proxy-url'].find((each) => cluster[each]);
  if (unknown) throw refuse(`its cluster has ${unknown}, which Longshore does not support`);
  const acting = ['as', 'as-uid', 'as-groups', 'as-user-extra'].find((each) => user[each]);
  if (acting)
    throw refuse(
      `its user has ${acting}, but Longshore does not impersonate users: use credentials of the user that is meant`,
    );
  const server = cluster.server;
  if (typeof server !== 'string') throw refuse('its cluster has no server');
  const token = user.token;
  const access: Access = { server };
  const certificateAuthority = decode(cluster['certificate-authority-data']);
  const clientCertificate = decode(user['client-certificate-data']);
  const clientKey = decode(user['client-key-data']);
  if (certificateAuthority) access.certificateAuthority = certificateAuthority;
  if (typeof token === 'string' && token !== '') access.token = async () => token;
  if (clientCertificate) access.clientCertificate = clientCertificate;
  if (clientKey) access.clientKey = clientKey;
  if (!access.token && !(clientCertificate && clientKey)) {
    throw refuse('its user has neither a token nor client-certificate-data with client-key-data');
  }
  return access;
}

interface Kubeconfig {
  'current-context'?: string;
  contexts?: { name: string; context?: Record<string, string> }[];
  clusters?: { name: string; cluster?: Record<string, unknown> }[];
  users?: { name: string; user?: Record<string, unknown> }[];
}

function parse(text: string): Kubeconfig {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null) return parsed;
    throw new Error('no object');
  } catch {
    throw refuse('it is not JSON: create it with `kubectl config view --raw --minify --flatten -o json`');
  }
}

function named<Entry extends { name: string }>(part: string, name: unknown, entries: Entry[] | undefined): Entry {
  const entry = entries?.find((candidate) => candidate.name === name);
  if (!entry) throw refuse(`it has no ${part} named ${JSON.stringify(name)}`);
  return entry;
}

function decode(data: unknown): string | undefined {
  return typeof data === 'string' ? Buffer.from(data, 'base64').toString('utf8') : undefined;
}

function refuse(problem: string): Error {
  return new Error(`the kubeconfig cannot be used: ${problem}`);
}
