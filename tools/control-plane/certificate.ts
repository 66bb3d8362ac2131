import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** A certificate for 127.0.0.1 that signs itself, valid for a month, so that no key stands in the repository. */
export function selfSignedCertificate(days = 30): { cert: string; key: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ecdsaWithSha256 = sequence(objectId('2a8648ce3d040302'));
  // One attribute, the common name, whose value is the UTF-8 text "test".
  const name = sequence(tagged(0x31, sequence(objectId('550403'), tagged(0x0c, Buffer.from('test')))));
  const day = 24 * 60 * 60_000;
  const end = Date.now() + days * day;
  const validity = sequence(time(Math.min(Date.now(), end) - day), time(end));
  const alternativeName = sequence(
    objectId('551d11'),
    tagged(0x04, sequence(tagged(0x87, Buffer.from([127, 0, 0, 1])))),
  );
  const body = sequence(
    tagged(0xa0, tagged(0x02, Buffer.from([2]))),
    tagged(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(alternativeName)),
  );
  const signature = tagged(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', body, privateKey)]));
  const der = sequence(body, ecdsaWithSha256, signature);
  const cert = `-----BEGIN CERTIFICATE-----\n${der.toString('base64')}\n-----END CERTIFICATE-----\n`;
  return { cert, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

/** A value in DER: its tag, its length, its bytes. */
function tagged(tag: number, contents: Buffer): Buffer {
  const { length } = contents;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), contents]);
}

function sequence(...parts: Buffer[]): Buffer {
  return tagged(0x30, Buffer.concat(parts));
}

function objectId(hex: string): Buffer {
  return tagged(0x06, Buffer.from(hex, 'hex'));
}

function time(milliseconds: number): Buffer {
  return tagged(0x18, Buffer.from(`${new Date(milliseconds).toISOString().replace(/[-:T]|\.\d+/g, '')}`));
}
