import { countValues } from '../json/bounds.ts';
import { redacted } from '../runtime/redaction.ts';

/**
 * Every failure of a call to a cluster belongs to one of these classes, and is only classified here.
 *
 * gone         the object, or its namespace, does not exist (any more); only the API server's own response counts
 * expired      the requested resource version is too old: list again
 * exists       an object of that name exists already
 * conflict     a precondition no longer holds: read again and decide again
 * rejected     the server refuses this content: validation, quota, admission; the user must change something
 * denied       our own permissions do not suffice: the operator must change something
 * unauthorized our credentials are not (or no longer) accepted
 * throttled    too many calls
 * oversized    a response that is longer, or takes more memory, than is allowed: nothing of it was used
 * unreachable  no response, or one that does not concern the object: try again later
 */
export type ErrorClass =
  | 'gone'
  | 'expired'
  | 'exists'
  | 'conflict'
  | 'rejected'
  | 'denied'
  | 'unauthorized'
  | 'throttled'
  | 'oversized'
  | 'unreachable';

export class ClusterError extends Error {
  readonly class: ErrorClass;
  readonly status: number | undefined;

  constructor(errorClass: ErrorClass, message: string, status?: number, cause?: unknown) {
    super(message, { cause });
    this.name = 'ClusterError';
    this.class = errorClass;
    this.status = status;
  }
}

export function isClusterError(error: unknown, ...classes: ErrorClass[]): error is ClusterError {
  return error instanceof ClusterError && (classes.length === 0 || classes.includes(error.class));
}

interface StatusBody {
  kind?: string;
  message?: string;
  reason?: string;
}

/**
 * Classifies a response of the API server by its HTTP status and the Status object in its body. A proxy's own message
 * is normally quoted, but not if it was sent an object: the message may contain that.
 */
export function errorFromAnswer(status: number, body: string, wasSentObject = false): ClusterError {
  const { kind, message = body.slice(0, 500), reason } = parseStatus(body);
  const said = kind === 'Status' || !wasSentObject ? redacted(message) : '';
  // A body that is not a Status comes from a proxy, or from a server that does not know the path.
  const errorClass =
    kind === 'Status' || status === 401 || status === 429 ? classify(status, reason, message) : 'unreachable';
  const answered = said || `the API server answered ${status}`;
  // By itself it says `Unauthorized`, whatever is wrong.
  const refused = `the API server does not accept the credentials, which may have expired: ${answered}`;
  return new ClusterError(errorClass, errorClass === 'unauthorized' ? refused : answered, status);
}

/** The parsed response. A parser's message is not quoted: the response may be a Secret. */
export function parsedAnswer<T>(body: string, path: string): T {
  try {
    return JSON.parse(body) as T;
  } catch {
    throw brokenOff(path);
  }
}

export function brokenOff(path: string): ClusterError {
  return new ClusterError('unreachable', `the response for ${path} was cut off, or does not come from the API server`);
}

function classify(status: number, reason: string | undefined, message: string): ErrorClass {
  switch (status) {
    case 401:
      return 'unauthorized';
    case 403:
      // The authorizer and the admission chain both respond with 403; only the authorizer's message names a user.
      return /is forbidden: User "/.test(message) ? 'denied' : 'rejected';
    case 404:
      return reason === 'NotFound' ? 'gone' : 'unreachable';
    case 410:
      return 'expired';
    case 409:
      return reason === 'AlreadyExists' ? 'exists' : 'conflict';
    case 400:
    case 413:
    case 422:
      return 'rejected';
    case 429:
      return 'throttled';
    default:
      return 'unreachable';
  }
}

function parseStatus(body: string): StatusBody {
  try {
    // A body that is not a Status may be anything, and large.
    countValues(Buffer.from(body), 0, Buffer.byteLength(body));
    const parsed: unknown = JSON.parse(body);
    return typeof parsed === 'object' && parsed !== null ? (parsed as StatusBody) : {};
  } catch {
    // A proxy or load balancer responds with a message of its own.
    return {};
  }
}
