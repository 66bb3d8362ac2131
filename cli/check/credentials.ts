import { X509Certificate } from 'node:crypto';
import type { Access } from '../../lib/kubernetes/access/api-access.ts';
import { durationText } from '../operate/duration.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

const soonMs = 7 * 86_400_000;
/** A token that lives so short is given out anew by a program or a file. */
const renewedMs = 26 * 3_600_000;
const todo = 'log in again, or get a new kubeconfig from whoever gives them out';

/** Whose credentials are used, and when they end. */
export async function checkCredentials(access: Access, now: Date): Promise<Finding[]> {
  const ends = [endOfCertificate(access.clientCertificate), endOfToken(await access.token?.())];
  const findings = ends.flatMap((end) => (end ? [findingOf(end, now)] : []));
  return findings.length > 0 ? findings : [ok('credentials', 'they do not say when they end')];
}

interface End {
  what: string;
  at: Date;
  isRenewed: boolean;
}

function findingOf({ what, at, isRenewed }: End, now: Date): Finding {
  const leftMs = at.getTime() - now.getTime();
  const day = at.toISOString().slice(0, 10);
  if (leftMs <= 0) return problem('credentials', `${what} ended ${durationText(-leftMs)} ago (${day}): ${todo}`);
  if (isRenewed) return ok('credentials', `${what} ends in ${durationText(leftMs)}, and is renewed`);
  const detail = `${what} ends in ${durationText(leftMs)} (${day})`;
  return leftMs < soonMs ? warning('credentials', `${detail}: ${todo}`) : ok('credentials', detail);
}

function endOfCertificate(pem: string | undefined): End | undefined {
  if (pem === undefined) return undefined;
  try {
    return { what: 'the client certificate', at: new Date(new X509Certificate(pem).validTo), isRenewed: false };
  } catch {
    return undefined;
  }
}

/** Tokens of other kinds say nothing of their end. */
function endOfToken(token: string | undefined): End | undefined {
  const payload = token?.split('.')[1];
  if (payload === undefined) return undefined;
  try {
    const { exp, iat } = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as {
      exp?: unknown;
      iat?: unknown;
    };
    if (typeof exp !== 'number' || !Number.isFinite(exp)) return undefined;
    const isRenewed = typeof iat === 'number' && (exp - iat) * 1_000 <= renewedMs;
    const at = new Date(exp * 1_000);
    return Number.isNaN(at.getTime()) ? undefined : { what: 'the token', at, isRenewed };
  } catch {
    return undefined;
  }
}
