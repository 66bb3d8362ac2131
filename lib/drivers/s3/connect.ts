import { IAMClient } from '@aws-sdk/client-iam';
import { S3Client } from '@aws-sdk/client-s3';
import { BoundedBodies } from './bounded-body.ts';
import type { CallOptions } from './call.ts';
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
  const bodies = new BoundedBodies();
  return (settings) => {
    const key = JSON.stringify(settings);
    const clients = kept.get(key) ?? clientsFor(settings, bodies);
    // Last used is last in the map, so that the first one is the one that is missed least, such as one with former keys.
    kept.delete(key);
    kept.set(key, clients);
    const [oldest] = kept.keys();
    if (kept.size > mostClients && oldest !== undefined) kept.delete(oldest);
    return clients;
  };
}

function clientsFor(settings: Settings, bodies: BoundedBodies): Clients {
  const { region, endpoint, iamEndpoint, forcePathStyle, credentials } = settings;
  const shared = { region, requestHandler: timeouts, ...(credentials ? { credentials } : {}) };
  const s3 = new S3Client({ ...shared, maxAttempts, forcePathStyle, ...(endpoint ? { endpoint } : {}) });
  const iamAddress = iamEndpoint ? { endpoint: iamEndpoint } : {};
  const iam = new IAMClient({ ...shared, maxAttempts: maxIamAttempts, ...iamAddress });
  for (const { config } of [s3, iam]) wrap(config.requestHandler, bodies);
  return { s3, iam };
}

interface Sent {
  headers: Record<string, string>;
}

interface Received {
  response: { body?: Parameters<BoundedBodies['read']>[0] };
}

interface Sending {
  handle(request: Sent, options?: Partial<CallOptions>): Promise<Received>;
}

function wrap(sending: Sending, bodies: BoundedBodies): void {
  const send = sending.handle.bind(sending);
  sending.handle = async (request, options) => {
    sayTrace(request, options);
    const received = await send(request, options);
    const { response } = received;
    if (response.body) response.body = await bodies.read(response.body, options?.abortSignal);
    return received;
  };
}

/**
 * Lets requests say which trace they are part of: to stores in a header, which AWS does not keep, and to CloudTrail, which
 * does, by the user agent. It is done when they are signed already, as what is on the way may change or drop either.
 */
function sayTrace({ headers }: Sent, options: Partial<CallOptions> | undefined): void {
  if (options?.traceparent !== undefined) Object.assign(headers, traceOf(headers, options.traceparent));
}

function traceOf({ 'user-agent': agent = '' }: Sent['headers'], traceparent: string): Sent['headers'] {
  const [, id] = traceparent.split('-');
  // A request that is tried again may say so already.
  const [before = ''] = agent.split(' longshore-trace/');
  return { traceparent, 'user-agent': `${before} longshore-trace/${id}`.trimStart() };
}
