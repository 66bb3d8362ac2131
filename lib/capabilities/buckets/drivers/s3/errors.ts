import { redacted } from '../../../../runtime/redaction.ts';
import type { Failure } from '../driver.ts';

/** An error of a store, or no answer: with the store's own code, classified by what a caller can do. */
export class StoreError extends Error {
  readonly failure: Failure;
  /** The store's own error code. */
  readonly code: string;

  constructor(failure: Failure, code: string) {
    super(failure.message);
    this.name = 'StoreError';
    this.failure = failure;
    this.code = code;
  }
}

export function fail(result: Failure['result'], message: string): StoreError {
  return new StoreError({ result, message }, result);
}

export function invalid(message: string): StoreError {
  return fail('invalid', message);
}

/** The only place that classifies errors of S3 and IAM. Any other error is a bug, and is returned as it is. */
export function classify(error: unknown, action: string): unknown {
  if (!(error instanceof Error) || error instanceof StoreError) return error;
  const { status, code, wasSent } = describe(error);
  const result = resultOf(code, status) ?? (wasSent ? 'unavailable' : undefined);
  if (result === undefined) return error;
  const said = error.message && error.message !== 'UnknownError' ? `: ${redacted(error.message).slice(0, 300)}` : '';
  return new StoreError({ result, message: `${action} ${meanings[result]} (${code}${said})` }, code);
}

/** True if the store certainly did nothing. A request that was sent twice may have succeeded the first time. */
export function isRefusal(error: unknown): boolean {
  const { $metadata: { httpStatusCode: status, attempts = 1 } = {} } = error as SdkError;
  return status !== undefined && status >= 400 && status < 500 && attempts === 1;
}

const meanings: Record<Failure['result'], string> = {
  denied: 'is not allowed for the identity that this driver uses: an administrator must allow it',
  unavailable: 'did not succeed, and will be retried',
  missing: 'found no such bucket',
  taken: 'found that this belongs to someone else, or is in another region',
  invalid: 'was refused by the store: create another class, with other parameters',
};

function resultOf(code: string, status: number | undefined): Failure['result'] | undefined {
  if (codes.denied.has(code)) return 'denied';
  if (codes.taken.has(code)) return 'taken';
  if (codes.missing.has(code)) return 'missing';
  if (codes.invalid.has(code)) return 'invalid';
  if (codes.unavailable.has(code)) return 'unavailable';
  return status === undefined ? undefined : resultOfStatus(status);
}

/** Responses to HEAD have no body, so some have only a status code. */
function resultOfStatus(status: number): Failure['result'] {
  if (status === 301) return 'taken';
  if (status === 401 || status === 403) return 'denied';
  if (status === 404) return 'missing';
  return status === 400 || status === 405 ? 'invalid' : 'unavailable';
}

const codes = {
  denied: new Set([
    'AccessDenied',
    'BucketHasAccessPointsAttached',
    'CredentialsProviderError',
    'InvalidAccessKeyId',
    'InvalidBucketState',
    'SignatureDoesNotMatch',
  ]),
  taken: new Set(['BucketAlreadyExists', 'BucketAlreadyOwnedByYou', 'EntityAlreadyExists', 'PermanentRedirect']),
  missing: new Set(['NoSuchBucket']),
  invalid: new Set(['InvalidInput', 'MalformedPolicyDocument', 'NotImplemented']),
  unavailable: new Set([
    'AbortError',
    'BucketNotEmpty',
    'ConcurrentModification',
    'DeleteConflict',
    'EntityTemporarilyUnmodifiable',
    // The credentials of a role are rotated.
    'ExpiredToken',
    'LimitExceeded',
    // IAM shows a new user only after a while.
    'NoSuchEntity',
    'OperationAborted',
    'RequestTimeout',
    'RequestTimeTooSkewed',
    'SlowDown',
    'Throttling',
    'TimeoutError',
    'TooManyBuckets',
  ]),
};

interface SdkError extends Error {
  /** Present on any error of sending a request, even without a response. */
  $metadata?: { httpStatusCode?: number; attempts?: number };
  /** The store's code. */
  Code?: unknown;
  /** The operating system's code. */
  code?: unknown;
}

interface ErrorFacts {
  status: number | undefined;
  code: string;
  wasSent: boolean;
}

function describe({ name, $metadata, Code, code }: SdkError): ErrorFacts {
  const about = { status: $metadata?.httpStatusCode, wasSent: $metadata !== undefined };
  if (name === 'Unknown') return { ...about, code: `HTTP ${about.status}` };
  const said = [Code, code, name].find((each): each is string => typeof each === 'string') ?? name;
  // The SDK's error classes have a suffix that the store's codes lack.
  return { ...about, code: said.replace(/Exception$/, '') };
}
