import { S3Client } from '@aws-sdk/client-s3';

/** Calls are retried as often as the client does by default; a response that has begun must not stall. */
const settings = {
  requestHandler: {
    connectionTimeout: 2_000,
    requestTimeout: 10_000,
    socketTimeout: 10_000,
    throwOnRequestTimeout: true,
  },
};

type Send = (command: unknown, options?: object) => Promise<unknown>;

/** An S3 client to read an archive: calls end when the signal aborts, even during the response. */
export function readingClient(signal: AbortSignal): S3Client {
  const client = writingClient();
  const send = client.send.bind(client) as unknown as Send;
  const endedBySignal: Send = (command, options) => send(command, { abortSignal: signal, ...options });
  return Object.assign(client, { send: endedBySignal as unknown as S3Client['send'] });
}

/** An S3 client for writes that must also happen after the signal has aborted. */
export function writingClient(): S3Client {
  return new S3Client(settings);
}
