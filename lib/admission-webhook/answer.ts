import * as v from 'valibot';
import { TooManyValues } from '../json/bounds.ts';
import { DamagedJson, parse } from '../json/parse.ts';
import { type ClaimRequest, claimReview, review, reviewApiVersion } from './claim-request.ts';
import { mutations } from './mutations.ts';
import type { Operation } from './operation.ts';

/**
 * The answers of a mutating admission webhook, for clusters that do not serve MutatingAdmissionPolicy. Each depends on
 * its request alone: nothing is called, and nothing is remembered.
 */

export interface Answer {
  readonly status: 200 | 400 | 404;
  readonly type: 'application/json' | 'text/plain';
  readonly body: string;
}

/** The answer to a review at the path of a policy: its name, after any prefix and before the query of the API server. */
export function answer(path: string, body: Buffer): Answer {
  const [withoutQuery = ''] = path.split('?', 1);
  const policy = withoutQuery.slice(withoutQuery.lastIndexOf('/') + 1);
  const mutate = Object.hasOwn(mutations, policy) ? mutations[policy as keyof typeof mutations] : undefined;
  if (!mutate) return problem(404, `no policy has this path: /${Object.keys(mutations).join(', /')}`);
  const given = parsed(body);
  const asked = v.safeParse(review, given);
  if (!asked.success) return problem(400, `this is not an AdmissionReview in ${reviewApiVersion}`);
  const { request } = asked.output;
  const isOfClaim = request.resource.group === '' && request.resource.resource === 'persistentvolumeclaims';
  if (!isOfClaim || request.subResource) return allowed(request.uid, []);
  if (request.operation !== 'CREATE' && request.operation !== 'UPDATE') return allowed(request.uid, []);
  const claim = v.safeParse(claimReview, (given as { request: unknown }).request);
  if (!claim.success) return problem(400, 'the object is not a PersistentVolumeClaim');
  return allowed(request.uid, mutate(claim.output as ClaimRequest));
}

/** Undefined is not a review either. */
function parsed(body: Buffer): unknown {
  try {
    return parse(body, 0, body.length);
  } catch (error) {
    if (error instanceof DamagedJson || error instanceof TooManyValues) return undefined;
    throw error;
  }
}

/** It never refuses: what must not be is refused by the validating policies. */
function allowed(uid: string, operations: readonly Operation[]): Answer {
  const patch = Buffer.from(JSON.stringify(operations)).toString('base64');
  const response = { uid, allowed: true, ...(operations.length > 0 ? { patchType: 'JSONPatch', patch } : {}) };
  const body = JSON.stringify({ apiVersion: reviewApiVersion, kind: 'AdmissionReview', response });
  return { status: 200, type: 'application/json', body };
}

function problem(status: 400 | 404, text: string): Answer {
  return { status, type: 'text/plain', body: `${text}\n` };
}
