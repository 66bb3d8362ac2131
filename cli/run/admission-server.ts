import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { answer } from '../../lib/admission-webhook/answer.ts';
import type { Log } from '../../lib/runtime/log.ts';
import type { StatusAddress } from '../forward-status.ts';
import { CertificateFiles, type CertificatePaths } from './certificate-files.ts';

export interface AdmissionOptions {
  at: StatusAddress;
  files: CertificatePaths;
}

/** For what is given over, a claim is refused by the validating policies, and created again by its user. */
export interface AdmissionLimits {
  /** More than two claims of the largest size that the API server stores. */
  bodyBytes: number;
  /** How many requests are read at a time: beyond that they are told to come again. */
  requests: number;
  connections: number;
  /** For a handshake, and for a whole request. The API server does not wait longer. */
  requestMs: number;
  certificateCheckMs: number;
}

const defaultLimits: AdmissionLimits = {
  bodyBytes: 4 * 1024 * 1024,
  requests: 16,
  connections: 128,
  requestMs: 5_000,
  certificateCheckMs: 10_000,
};
/** Longer than the API server keeps a connection that it does not use: it would use one while it is being closed. */
const idleMs = 120_000;

/** Answers reviews of claims at this address: `lib/admission-webhook` decides, without a cluster and without credentials. */
export async function serveAdmission(
  { at, files }: AdmissionOptions,
  log: Log,
  { bodyBytes, requests, connections, requestMs, certificateCheckMs }: AdmissionLimits = defaultLimits,
) {
  const certificate = new CertificateFiles(files);
  const timeouts = {
    handshakeTimeout: requestMs,
    headersTimeout: requestMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: Math.min(requestMs, 1_000),
    keepAliveTimeout: idleMs,
  };
  let inProgress = 0;
  const server = createServer({ ...(await certificate.read()), ...timeouts }, async (incoming, outgoing) => {
    if (incoming.method !== 'POST') return refuse(incoming, outgoing, 405, 'reviews are sent with POST');
    if (inProgress >= requests) return refuse(incoming, outgoing, 503, 'too many requests at a time');
    inProgress += 1;
    try {
      const body = await bodyOf(incoming, bodyBytes);
      if (body === undefined) return refuse(incoming, outgoing, 413, `no review has more than ${bodyBytes} bytes`);
      const { status, type, body: text } = answer(incoming.url ?? '/', body);
      const kept = status === 200 ? {} : { connection: 'close' };
      outgoing.writeHead(status, { 'content-type': type, ...kept }).end(text);
    } catch (error) {
      // Whoever has gone away gets no answer.
      if (!incoming.complete) return void outgoing.destroy();
      log.error('review failed', { error: String(error) });
      refuse(incoming, outgoing, 500, 'the review failed');
    } finally {
      inProgress -= 1;
    }
  });
  server.maxConnections = connections;
  // Whoever holds connections without using them loses them when others need one.
  server.on('drop', () => server.closeIdleConnections());
  await listening(server, at);
  const stopWatching = certificate.watch(certificateCheckMs, {
    replaced: (context) => {
      server.setSecureContext(context);
      log.info('certificate was replaced', { certificate: files.certificate });
    },
    failed: (error) => log.error('certificate cannot be read again', { error: String(error) }),
  });
  const close = async () => {
    stopWatching();
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  return { address: `${at.host}:${(server.address() as AddressInfo).port}`, close };
}

async function listening(server: Server, { host, port }: StatusAddress): Promise<void> {
  server.listen(port, host);
  await once(server, 'listening');
}

/** Undefined if it is too large; what comes after that is not kept. */
async function bodyOf(incoming: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  if (Number(incoming.headers['content-length'] ?? 0) > maxBytes) return undefined;
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > maxBytes) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/**
 * What is left of the request is thrown away as it comes: otherwise the answer might be lost with the connection. Nobody
 * keeps one who does not send reviews.
 */
function refuse(incoming: IncomingMessage, outgoing: ServerResponse, status: number, text: string): void {
  incoming.resume();
  outgoing.writeHead(status, { 'content-type': 'text/plain', connection: 'close' }).end(`${text}\n`);
}
