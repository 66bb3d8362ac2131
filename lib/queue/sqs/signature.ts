import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto';

/** The keys of whoever sends. A session token comes with keys that expire. */
export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string | undefined;
}

/** Where a request goes and what it asks, as far as its signature is concerned. */
export interface Target {
  host: string;
  path: string;
  action: string;
}

export const contentType = 'application/x-amz-json-1.0';
export const sendBatch = 'AmazonSQS.SendMessageBatch';
export const getAttributes = 'AmazonSQS.GetQueueAttributes';

interface SigningKey {
  secretAccessKey: string;
  day: string;
  key: KeyObject;
}

/** Names and values by turns, which is the form that node:http takes without looking at them again. */
export type Headers = string[];

/**
 * Signs the one kind of request that is sent in great number (AWS Signature Version 4). It is done by hand because the
 * general signer reads, sorts and normalises headers and derives its cache's key anew for every request: measured with a
 * batch of ten messages (8 KB), @smithy/signature-v4 takes 64 to 85 µs, this takes 19 µs.
 */
export class Signer {
  private readonly region: string;
  private kept: SigningKey | undefined;

  constructor(region: string) {
    this.region = region;
  }

  headers(body: string, target: Target, credentials: Credentials, now: Date): Headers {
    const { accessKeyId, sessionToken } = credentials;
    const { action } = target;
    const time = now.toISOString().replace(/[-:]|\.\d{3}/g, '');
    const day = time.slice(0, 8);
    const scope = `${day}/${this.region}/sqs/aws4_request`;
    // The signed headers stand in alphabetical order, as the protocol demands.
    const token = sessionToken ? `x-amz-security-token:${sessionToken}\n` : '';
    const signed = `content-type;host;x-amz-date;${sessionToken ? 'x-amz-security-token;' : ''}x-amz-target`;
    const signedLines = `content-type:${contentType}\nhost:${target.host}\nx-amz-date:${time}\n${token}x-amz-target:${action}\n`;
    const request = `POST\n${target.path}\n\n${signedLines}\n${signed}\n${hash('sha256', body)}`;
    const toSign = `AWS4-HMAC-SHA256\n${time}\n${scope}\n${hash('sha256', request)}`;
    const signature = createHmac('sha256', this.signingKey(credentials, day)).update(toSign).digest('hex');
    const authorization = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${signed}, Signature=${signature}`;
    const headers = ['content-type', contentType, 'host', target.host, 'x-amz-date', time, 'x-amz-target', action];
    headers.push(
      'authorization',
      authorization,
      'content-length',
      String(Buffer.byteLength(body)),
      'user-agent',
      'longshore',
    );
    if (sessionToken) headers.push('x-amz-security-token', sessionToken);
    return headers;
  }

  /**
   * It is the same for a day, unless the keys are renewed before. As a key object it makes an HMAC in 3 µs; as bytes it would
   * be prepared anew each time, which takes 20 µs.
   */
  private signingKey({ secretAccessKey }: Credentials, day: string): KeyObject {
    if (this.kept?.secretAccessKey !== secretAccessKey || this.kept.day !== day) {
      const parts = [day, this.region, 'sqs', 'aws4_request'];
      const start: string | Buffer = `AWS4${secretAccessKey}`;
      const key = parts.reduce<string | Buffer>((of, part) => createHmac('sha256', of).update(part).digest(), start);
      this.kept = { secretAccessKey, day, key: createSecretKey(Buffer.from(key)) };
    }
    return this.kept.key;
  }
}
