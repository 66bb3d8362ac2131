import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { VersionApi } from '@kubernetes/client-node';
import { selfSignedCertificate } from '../../../tools/control-plane/certificate.ts';
import { PatientKubeConfig } from '../../../tools/local/patient-kubeconfig.ts';

let server: Server;
let connections = 0;
let config: PatientKubeConfig;

beforeEach(async () => {
  const certificate = selfSignedCertificate();
  connections = 0;
  server = createServer(certificate, (_, answer) => {
    answer.writeHead(200, { 'content-type': 'application/json' }).end('{"major":"1","gitVersion":"v1.36.0"}');
  });
  server.on('secureConnection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const kubeconfig = {
    clusters: [
      {
        name: 'local',
        cluster: {
          server: `https://127.0.0.1:${port}`,
          'certificate-authority-data': Buffer.from(certificate.cert).toString('base64'),
        },
      },
    ],
    users: [{ name: 'local', user: { token: 'secret' } }],
    contexts: [{ name: 'local', context: { cluster: 'local', user: 'local' } }],
    'current-context': 'local',
  };
  config = PatientKubeConfig.fromString(JSON.stringify(kubeconfig));
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

test('calls use the connections of earlier ones', async () => {
  const api = config.makeApiClient(VersionApi);
  for (let call = 0; call < 10; call += 1) expect((await api.getCode()).gitVersion).toBe('v1.36.0');
  // A second one may be opened while the first one ends its call.
  expect(connections).toBeLessThanOrEqual(3);
});

test('a slow handshake is waited for, for minutes', () => {
  const options = config.createDispatcherOptions(config.getCurrentCluster(), { ca: 'authority' });
  expect(options).toMatchObject({ type: 'agent', connect: { ca: 'authority', timeout: expect.any(Number) } });
  expect((options as { connect: { timeout: number } }).connect.timeout).toBeGreaterThanOrEqual(60_000);
});
