import { createHash, createHmac } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { SignatureV4 } from '@smithy/signature-v4';
import { assert, asyncProperty, constant, constantFrom, date, oneof, record, string, stringMatching } from 'fast-check';
import { getAttributes, Signer, sendBatch } from '../../../lib/queue/sqs/signature.ts';
import { anyCharacter } from '../../support/any-character.ts';

type Data = string | ArrayBuffer | ArrayBufferView;

/** The hash in the form that AWS's own signer asks for. */
class Sha256 {
  private readonly hash;

  constructor(secret?: Data) {
    this.hash = secret === undefined ? createHash('sha256') : createHmac('sha256', bytesOf(secret));
  }

  update(data: Data): void {
    this.hash.update(bytesOf(data));
  }

  async digest(): Promise<Uint8Array> {
    return this.hash.digest();
  }
}

const region = 'eu-central-1';
/** One signer for all, so that its kept key is tried with keys and days that change. */
const signer = new Signer(region);

const requests = record({
  body: string({ unit: anyCharacter, maxLength: 3_000 }),
  host: stringMatching(/^[a-z]{1,10}\.example(:[1-9][0-9]{1,3})?$/),
  path: constant('/'),
  action: constantFrom(sendBatch, getAttributes),
  accessKeyId: stringMatching(/^[A-Z0-9]{4,20}$/),
  secretAccessKey: stringMatching(/^[A-Za-z0-9/+]{4,40}$/),
  sessionToken: oneof(constant(undefined), stringMatching(/^[A-Za-z0-9/+=]{1,200}$/)),
  now: date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true }),
});

test("for any body, host, keys and time the signed headers are those that AWS's own signer makes", async () => {
  const property = asyncProperty(requests, async ({ body, host, path, action, now, ...identity }) => {
    const { sessionToken, ...keys } = identity;
    const credentials = sessionToken ? { ...keys, sessionToken } : keys;
    const own = headersOf(signer.headers(body, { host, path, action }, credentials, now));
    const { authorization, 'content-length': length, 'user-agent': _, ...signed } = own;
    const { 'x-amz-date': __, 'x-amz-security-token': ___, ...given } = signed;
    const reference = new SignatureV4({ service: 'sqs', region, credentials, sha256: Sha256, applyChecksum: false });
    const request = { method: 'POST', protocol: 'https:', hostname: host, path, query: {}, headers: given, body };
    const expected = (await reference.sign(request, { signingDate: now })).headers;
    expect({ authorization, ...signed }).toEqual(expected);
    expect(length).toBe(String(Buffer.byteLength(body)));
  });
  await assert(property, { numRuns: 300 });
});

function bytesOf(data: Data): Uint8Array | string {
  if (typeof data === 'string') return data;
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
}

function headersOf(list: string[]): Record<string, string> {
  return Object.fromEntries(list.flatMap((name, at) => (at % 2 === 0 ? [[name, list[at + 1] ?? '']] : [])));
}
