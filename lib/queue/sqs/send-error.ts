export interface SendErrorParts {
  /** The HTTP status, where there was an answer. */
  status?: number;
  /** What AWS calls the problem, or the system where there was no answer. */
  code: string;
  cause?: unknown;
}

/** Nothing is known about any message of a call: each one may or may not have been taken. */
export class SendError extends Error {
  readonly status: number | undefined;
  readonly code: string;
  /** The queue is well but wants fewer calls: it is the pace that must change, not the messages. */
  readonly isThrottled: boolean;

  constructor(message: string, { status, code, cause }: SendErrorParts) {
    super(message, { cause });
    this.name = 'SendError';
    this.status = status;
    this.code = code;
    this.isThrottled = status === 429 || status === 503 || isThrottlingCode(code);
  }
}

/** AWS has a name for it in each of its parts: RequestThrottled, ThrottlingException, KmsThrottled and more. */
export function isThrottlingCode(code: string): boolean {
  return /throttl|SlowDown|TooManyRequests|RequestLimitExceeded|ServiceUnavailable/i.test(code);
}
