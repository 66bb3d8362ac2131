import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { selfSignedCertificate } from '../../../tools/control-plane/certificate.ts';

/** An API server that has these objects, by path, and a kubeconfig with a context for it. */
export async function startApi(context = 'prod') {
  const { cert, key } = selfSignedCertificate();
  const objects = new Map<string, unknown>();
  let isSilent = false;
  const server = createServer({ cert, key }, (request, response) => {
    if (isSilent) return;
    const [path = ''] = (request.url ?? '').split('?', 1);
    const found = objects.get(path);
    response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(found ?? { kind: 'Status', reason: 'NotFound', message: 'not found' }));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const folder = await mkdtemp(join(tmpdir(), 'longshore-api-'));
  const kubeconfig = join(folder, 'config');
  const config = {
    'current-context': context,
    contexts: [{ name: context, context: { cluster: 'c', user: 'u' } }],
    clusters: [
      { name: 'c', cluster: { server: url, 'certificate-authority-data': Buffer.from(cert).toString('base64') } },
    ],
    users: [{ name: 'u', user: { token: 'token' } }],
  };
  await writeFile(kubeconfig, stringify(config));
  return {
    url,
    kubeconfig,
    objects,
    silence: () => {
      isSilent = true;
    },
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await rm(folder, { recursive: true });
    },
  };
}

export const leasePath = (identity: string) =>
  `/apis/coordination.k8s.io/v1/namespaces/longshore-system/leases/forward.${identity}`;

/** A Lease as a forwarder of this release has left it. */
export function leaseOf(cluster: string | undefined, renewTime = new Date(), uid = 'uid-1') {
  const annotations =
    cluster === undefined ? {} : { 'longshore.dev/cluster': cluster, 'longshore.dev/lease-uid': 'uid-1' };
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: 'forward', namespace: 'longshore-system', uid, annotations },
    spec: { holderIdentity: '', renewTime: renewTime.toISOString() },
  };
}

export const kubeSystem = { metadata: { name: 'kube-system', uid: 'kube-system-uid' } };
