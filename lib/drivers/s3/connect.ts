import { IAMClient } from '@aws-sdk/client-iam';
import { S3Client } from '@aws-sdk/client-s3';
import type { Clients, Connect, Settings } from './settings.ts';

/** Whoever calls waits no longer than this for one answer: within a call's deadline there is then time for more. */
const timeouts = { connectionTimeout: 2_000, requestTimeout: 5_000, throwOnRequestTimeout: true };
const maxAttempts = 2;
/** A key whose making is repeated, because the answer was late, is there twice: nobody would know the first one. */
const maxIamAttempts = 1;
const mostClients = 20;

/** Real clients, kept from one call to the next because each holds connections open. */
export function connectTo(): Connect {
  const kept = new Map<string, Clients>();
  return (settings) => {
    const key = JSON.stringify(settings);
    const clients = kept.get(key) ?? clientsFor(settings);
    // Last used is last in the map, so that the first one is the one that is missed least, such as one with former keys.
    kept.delete(key);
    kept.set(key, clients);
    const [oldest] = kept.keys();
    if (kept.size > mostClients && oldest !== undefined) kept.delete(oldest);
    return clients;
  };
}

function clientsFor({ region, endpoint, iamEndpoint, forcePathStyle, credentials }: Settings): Clients {
  const shared = { region, requestHandler: timeouts, ...(credentials ? { credentials } : {}) };
  return {
    s3: new S3Client({ ...shared, maxAttempts, forcePathStyle, ...(endpoint ? { endpoint } : {}) }),
    iam: new IAMClient({ ...shared, maxAttempts: maxIamAttempts, ...(iamEndpoint ? { endpoint: iamEndpoint } : {}) }),
  };
}
