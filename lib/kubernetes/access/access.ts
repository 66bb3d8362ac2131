import type { AccessConfig } from '../../runtime/config.ts';
import type { Access } from './api-access.ts';
import { eksToken, renewed } from './eks-token.ts';
import { accessFromKubeconfig } from './embedded-kubeconfig.ts';
import { readSecret } from './secret-store.ts';

/** Makes the configured access to a cluster usable. */
export async function accessTo(config: AccessConfig, environment: NodeJS.ProcessEnv = process.env): Promise<Access> {
  switch (config.type) {
    case 'kubeconfig':
      return accessFromKubeconfig(await readSecret(config.from));
    case 'token':
      return { ...endpointOf(config), token: renewed(async () => (await readSecret(config.from)).trim()) };
    case 'eks': {
      const region = config.region ?? environment.AWS_REGION;
      if (!region) throw new Error(`access to EKS cluster ${config.clusterName} needs a region, or AWS_REGION`);
      const { clusterName } = config;
      const make = (now: Date) => eksToken({ clusterName, region, credentials: ownCredentials(environment) }, now);
      return { ...endpointOf(config), token: renewed(make) };
    }
    default:
      return unknownAccess(config);
  }
}

function endpointOf(config: { server: string; certificateAuthority?: string }): Access {
  const { server, certificateAuthority } = config;
  // EKS returns the certificate authority in base64; a PEM is used as it is.
  const pem = certificateAuthority?.includes('BEGIN')
    ? certificateAuthority
    : Buffer.from(certificateAuthority ?? '', 'base64').toString('utf8');
  return pem ? { server, certificateAuthority: pem } : { server };
}

/**
 * Lambda passes each function its role's credentials in these variables, and replaces the process before they expire.
 */
function ownCredentials(environment: NodeJS.ProcessEnv) {
  const { AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '', AWS_SESSION_TOKEN } = environment;
  return {
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    ...(AWS_SESSION_TOKEN ? { sessionToken: AWS_SESSION_TOKEN } : {}),
  };
}

function unknownAccess(config: never): never {
  throw new Error(`unknown access ${JSON.stringify(config)}`);
}
