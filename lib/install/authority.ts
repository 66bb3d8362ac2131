import { X509Certificate } from 'node:crypto';

/** The file may have its private key as well, and everybody who may read namespaces sees what is written there. */
const certificateBlock = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g;

/** The certificates of a text in PEM, without anything else that is in it. Throws on one that cannot be read. */
export function certificatesIn(pem: string): { pem: string; ends: Date }[] {
  return (pem.match(certificateBlock) ?? []).map((each) => ({
    pem: each,
    ends: new Date(new X509Certificate(each).validTo),
  }));
}

/** When the last of these certificates ended, if none is valid any more: then what they have signed is not trusted. */
export function endedAt(pem: string, now: Date): Date | undefined {
  const ends = certificatesIn(pem).map((each) => each.ends.getTime());
  const last = Math.max(...ends);
  return ends.length > 0 && last <= now.getTime() ? new Date(last) : undefined;
}
