import type { StatusAddress } from '../forward-status.ts';
import { UsageError } from '../parse/usage-error.ts';
import type { AdmissionOptions } from './admission-server.ts';

export interface GivenAdmission {
  admission?: StatusAddress | undefined;
  admissionCertificate?: string;
  admissionKey?: string;
}

/** The API server speaks to webhooks with TLS alone. */
export function admissionOf(given: GivenAdmission): AdmissionOptions | undefined {
  const { admission: at, admissionCertificate: certificate, admissionKey: key } = given;
  if (!at && certificate === undefined && key === undefined) return undefined;
  if (at && certificate && key) return { at, files: { certificate, key } };
  throw new UsageError('--admission, --admission-certificate and --admission-key are given together, or not at all');
}
