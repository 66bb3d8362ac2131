import { IAMClient } from '@aws-sdk/client-iam';
import { S3Client } from '@aws-sdk/client-s3';
import { BoundedBodies } from './bounded-body.ts';
import type { CallOptions } from './call.ts';
import type { Clients, Connect, Settings } from './settings.ts';

/**
 * How long a store that has been asked keeps its connections open is its own to say, and a process has 1,024 files: so few of
 * each client are left open when nothing is asked.
 */
const agent = { maxSockets: 50, maxFreeSockets: 4 };
/** Whoever calls waits no longer than this for one answer: within a call's deadline there is then time for more. */
const timeouts = { connectionTimeout: 2_000, requestTimeout: 5_000, throwOnRequestTimeout: true };
const maxAttempts = 2;
/** A key whose making is repeated, because the answer was late, is there twice: nobody would know the first one. */
const maxIamAttempts = 1;
const maxClients = 20;

/** Real clients, and how all of them are let go of. */
export type Connecting = Connect & { close(): void };

/** Real clients, kept from one call to the next because each holds connections open. */
export function connectTo(): Connecting {
  const kept = new Map<string, OpenClients>();
  const bodies = new BoundedBodies();
  const connect = (settings: Settings): Clients => {
    const key = JSON.stringify(settings);
    const clients = kept.get(key) ?? new OpenClients(settings, bodies);
    // Last used is last in the map, so that the first one is the one that is missed least, such as one with former keys.
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

/** The clients of one store. Once they are dropped their connections are closed, as soon as no request is on its way. */
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

  /** Whoever still has them may go on: what they open then is closed after each of their requests. */
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
      sayTrace(request, options);
      const received = await send(request, options);
      const { response } = received;
      if (response.body) response.body = await bodies.read(response.body, options?.abortSignal);
      return received;
    });
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
