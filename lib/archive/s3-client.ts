import { S3Client } from '@aws-sdk/client-s3';

/** What is asked once is tried as often as the client does by itself; what has begun to come may not stop coming. */
const settings = {
  requestHandler: {
    connectionTimeout: 2_000,
    requestTimeout: 10_000,
    socketTimeout: 10_000,
    throwOnRequestTimeout: true,
  },
};

type Send = (command: unknown, options?: object) => Promise<unknown>;

/** S3 for whoever reads an archive: what was asked ends when the signal aborts, also while the answer is coming. */
export function readingClient(signal: AbortSignal): S3Client {
  const client = writingClient();
  const send = client.send.bind(client) as unknown as Send;
  const endedBySignal: Send = (command, options) => send(command, { abortSignal: signal, ...options });
  return Object.assign(client, { send: endedBySignal as unknown as S3Client['send'] });
}

/** S3 for what has to be kept when the signal has aborted, too. */
export function writingClient(): S3Client {
  return new S3Client(settings);
}
