import type { RequestOptions } from 'node:https';
import { Connection } from '../../lib/kubernetes/connection.ts';
import { PatientKubeConfig } from '../local/patient-kubeconfig.ts';

/** A connection with the credentials in a kubeconfig, which a user may have written. */
export async function connect(kubeconfigPath: string): Promise<Connection> {
  const config = PatientKubeConfig.fromFile(kubeconfigPath);
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
