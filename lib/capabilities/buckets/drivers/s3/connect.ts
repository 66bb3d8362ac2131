import { IAMClient } from '@aws-sdk/client-iam';
import { S3Client } from '@aws-sdk/client-s3';
import { BoundedBodies } from './bounded-body.ts';
import type { CallOptions } from './call.ts';
import type { Clients, Connect, Settings } from './connection-settings.ts';

/**
 * A store decides how long it keeps idle connections open, and a process has 1,024 file descriptors: so each client keeps
 * only a few.
 */
const agent = { maxSockets: 50, maxFreeSockets: 4 };
/** Short timeouts for one request leave time for more within a call's deadline. */
const timeouts = { connectionTimeout: 2_000, requestTimeout: 5_000, throwOnRequestTimeout: true };
const maxAttempts = 2;
/** Retrying to create a key after a late answer would create two, and the first would be unknown. */
const maxIamAttempts = 1;
const maxClients = 20;

/** Creates real clients, and closes them all. */
export type ClosableConnect = Connect & { close(): void };

/** Real clients, kept from one call to the next because each holds connections open. */
export function connectTo(): ClosableConnect {
  const kept = new Map<string, OpenClients>();
  const bodies = new BoundedBodies();
  const connect = (settings: Settings): Clients => {
    const key = JSON.stringify(settings);
    const clients = kept.get(key) ?? new OpenClients(settings, bodies);
    // The last used is last in the map, so the first is the least recently used, such as one with former keys.
    kept.delete(key);
    kept.set(key, clients);
    const [oldest] = kept;
    if (kept.size > maxClients && oldest !== undefined) drop(...oldest);
    return clients;
  };
  const drop = (key: string, clients: OpenClients) => {
    kept.delete(key);
    clients.drop();
  };
  const close = () => {
    for (const each of [...kept]) drop(...each);
  };
  return Object.assign(connect, { close });
}

/** The clients of one store. Once dropped, their connections are closed as soon as no request is in flight. */
class OpenClients implements Clients {
  readonly s3: S3Client;
  readonly iam: IAMClient;
  private underWay = 0;
  private isDropped = false;

  constructor(settings: Settings, bodies: BoundedBodies) {
    const { region, endpoint, iamEndpoint, forcePathStyle, credentials } = settings;
    const shared = () => {
      const requestHandler = { ...timeouts, httpAgent: agent, httpsAgent: agent };
      return { region, requestHandler, ...(credentials ? { credentials } : {}) };
    };
    this.s3 = new S3Client({ ...shared(), maxAttempts, forcePathStyle, ...(endpoint ? { endpoint } : {}) });
    const iamAddress = iamEndpoint ? { endpoint: iamEndpoint } : {};
    this.iam = new IAMClient({ ...shared(), maxAttempts: maxIamAttempts, ...iamAddress });
    for (const { config } of [this.s3, this.iam]) {
      wrap(config.requestHandler, bodies, (sending) => this.counted(sending));
    }
  }

  /** Callers that still have them may continue: connections are then closed after each request. */
  drop(): void {
    this.isDropped = true;
    this.closeIfIdle();
  }

  private async counted<T>(sending: () => Promise<T>): Promise<T> {
    this.underWay += 1;
    try {
      return await sending();
    } finally {
      this.underWay -= 1;
      this.closeIfIdle();
    }
  }

  private closeIfIdle(): void {
    if (!this.isDropped || this.underWay > 0) return;
    this.s3.destroy();
    this.iam.destroy();
  }
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

function wrap(
  sending: Sending,
  bodies: BoundedBodies,
  counted: (send: () => Promise<Received>) => Promise<Received>,
): void {
  const send = sending.handle.bind(sending);
  sending.handle = (request, options) =>
    counted(async () => {
      addTraceHeaders(request, options);
      const received = await send(request, options);
      const { response } = received;
      if (response.body) response.body = await bodies.read(response.body, options?.abortSignal);
      return received;
    });
}

/**
 * Adds the trace to requests: in a header for stores, which AWS does not record, and in the user agent for CloudTrail, which
 * does. Added after signing, as proxies may change or drop either.
 */
function addTraceHeaders({ headers }: Sent, options: Partial<CallOptions> | undefined): void {
  if (options?.traceparent !== undefined) Object.assign(headers, traceOf(headers, options.traceparent));
}

function traceOf({ 'user-agent': agent = '' }: Sent['headers'], traceparent: string): Sent['headers'] {
  const [, id] = traceparent.split('-');
  // A retried request may have it already.
  const [before = ''] = agent.split(' longshore-trace/');
  return { traceparent, 'user-agent': `${before} longshore-trace/${id}`.trimStart() };
}
