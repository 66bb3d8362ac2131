import { writeFile } from 'node:fs/promises';

export interface Identity {
  server: string;
  certificateAuthority: string;
  token: string;
}

/** A self-contained kubeconfig. It is JSON, which is also YAML. */
export function kubeconfigOf({ server, certificateAuthority, token }: Identity): string {
  const authority = Buffer.from(certificateAuthority).toString('base64');
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'local',
    contexts: [{ name: 'local', context: { cluster: 'local', user: 'local' } }],
    clusters: [{ name: 'local', cluster: { server, 'certificate-authority-data': authority } }],
    users: [{ name: 'local', user: { token } }],
  });
}

export async function writeKubeconfig(path: string, identity: Identity): Promise<string> {
  await writeFile(path, kubeconfigOf(identity), { mode: 0o600 });
  return path;
}
