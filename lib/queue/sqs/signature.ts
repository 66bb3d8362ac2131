import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto';

/** The sender's credentials. A session token belongs to temporary credentials. */
export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string | undefined;
}

/** The target of a request and its action, as far as they are signed. */
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

/** Names and values alternately: the form that node:http accepts without processing. */
export type Headers = string[];

/**
 * Signs the one kind of request that is sent in large numbers (AWS Signature Version 4). It is written by hand because
 * the general signer reads, sorts and normalises headers and derives its cache key again for every request: measured
 * with a batch of ten messages (8 KB), @smithy/signature-v4 takes 64 to 85 µs, this takes 19 µs.
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
    // The protocol requires the signed headers in alphabetical order.
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
   * It is valid for a day, unless the credentials are renewed before. With a key object an HMAC takes 3 µs; with bytes
   * the key would be prepared each time, which takes 20 µs.
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
