import type { RequestOptions } from 'node:https';
import { KubeConfig } from '@kubernetes/client-node';
import { Connection } from '../../lib/kubernetes/connection.ts';

/** A connection with the credentials in a kubeconfig, which a user may have written. */
export async function connect(kubeconfigPath: string): Promise<Connection> {
  const config = new KubeConfig();
  config.loadFromFile(kubeconfigPath);
  const options: RequestOptions = {};
  await config.applyToHTTPSOptions(options);
  const { ca, cert, key } = options;
  const [, token] =
    /^Bearer (.+)$/.exec(String((options.headers as Record<string, string>)?.Authorization ?? '')) ?? [];
  return new Connection({
    server: config.getCurrentCluster()?.server ?? '',
    ...(ca ? { certificateAuthority: String(ca) } : {}),
    ...(cert ? { clientCertificate: String(cert) } : {}),
    ...(key ? { clientKey: String(key) } : {}),
    ...(token ? { token: async () => token } : {}),
  });
}
