import { createHash, createHmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';

/** EKS accepts a token for 15 minutes; it is renewed well before. */
const tokenLifetimeMs = 14 * 60_000;
const signatureLifetimeSeconds = 60;

export interface EksIdentity {
  clusterName: string;
  region: string;
  credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string };
}

/**
 * The bearer token that EKS accepts for an AWS identity: a presigned GetCallerIdentity request to STS, bound to the
 * cluster by a signed header. Nothing is sent: signing needs no network.
 */
export async function eksToken({ clusterName, region, credentials }: EksIdentity, now: Date): Promise<string> {
  const host = `sts.${region}.amazonaws.com`;
  const signer = new SignatureV4({ service: 'sts', region, credentials, sha256: Sha256 });
  const request = {
    method: 'GET',
    protocol: 'https:',
    hostname: host,
    path: '/',
    headers: { host, 'x-k8s-aws-id': clusterName },
    query: { Action: 'GetCallerIdentity', Version: '2011-06-15' },
  };
  const signed = await signer.presign(request, { expiresIn: signatureLifetimeSeconds, signingDate: now });
  const query = Object.entries(signed.query ?? {}).map(([name, value]) => `${encode(name)}=${encode(String(value))}`);
  const url = `https://${host}/?${query.join('&')}`;
  return `k8s-aws-v1.${Buffer.from(url).toString('base64url')}`;
}

/** Keeps a token until it is about to expire. */
export function renewed(make: (now: Date) => Promise<string>, clock = () => new Date()): () => Promise<string> {
  let kept: { token: Promise<string>; until: number } | undefined;
  return () => {
    const now = clock();
    if (!kept || kept.until <= now.getTime()) {
      const token = make(now);
      const made = { token, until: now.getTime() + tokenLifetimeMs };
      kept = made;
      // A failure is not cached: the next call tries again.
      token.catch(() => {
        if (kept === made) kept = undefined;
      });
    }
    return kept.token;
  };
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** The hash with the interface that the signer requires. */
class Sha256 {
  private readonly hash;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.hash = secret === undefined ? createHash('sha256') : createHmac('sha256', bytesOf(secret));
  }

  update(data: string | ArrayBuffer | ArrayBufferView): void {
    this.hash.update(bytesOf(data));
  }

  async digest(): Promise<Uint8Array> {
    return this.hash.digest();
  }
}

function bytesOf(data: string | ArrayBuffer | ArrayBufferView): Uint8Array | string {
  if (typeof data === 'string') return data;
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
}
