import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KubernetesObjectApi, PatchStrategy } from '@kubernetes/client-node';
import { serveAdmission } from '../../cli/run/admission-server.ts';
import { webhookConfiguration } from '../../lib/admission-webhook/webhook-configuration.ts';
import type { Log } from '../../lib/runtime/log.ts';
import { selfSignedCertificate } from '../../tools/control-plane/certificate.ts';
import { changesClaims } from '../../tools/control-plane/manifests.ts';
import { PatientKubeConfig } from '../../tools/local/patient-kubeconfig.ts';
import { until } from './patience.ts';

export interface Webhook {
  stop(): Promise<void>;
}

/** The webhook of `longshore run` in this process, and the cluster's configuration for it. */
export async function startWebhook(kubeconfigPath: string): Promise<Webhook> {
  const folder = await mkdtemp(join(tmpdir(), 'longshore-webhook-'));
  const files = { certificate: join(folder, 'tls.crt'), key: join(folder, 'tls.key') };
  const { cert, key } = selfSignedCertificate();
  await writeFile(files.certificate, cert);
  await writeFile(files.key, key, { mode: 0o600 });
  const fail = (message: string, fields: object = {}) => console.error(message, fields);
  const log: Log = { info: () => {}, error: fail, measure: () => {} };
  const { address, close } = await serveAdmission({ at: { host: '127.0.0.1', port: 0 }, files }, log);
  const client = KubernetesObjectApi.makeApiClient(PatientKubeConfig.fromFile(kubeconfigPath));
  const configuration = webhookConfiguration({ url: `https://${address}`, caBundle: cert });
  await client.patch(configuration, undefined, undefined, 'test', true, PatchStrategy.ServerSideApply);
  await until('the server asks the webhook', () => changesClaims(kubeconfigPath), { pollMs: 100 });
  return {
    stop: async () => {
      await close();
      await rm(folder, { recursive: true });
    },
  };
}
