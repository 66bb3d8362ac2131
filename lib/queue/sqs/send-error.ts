export interface SendErrorParts {
  /** The HTTP status, if there was a response. */
  status?: number;
  /** AWS's code for the problem, or the operating system's if there was no response. */
  code: string;
  cause?: unknown;
}

/** Nothing is known about any message of a call: each one may or may not have been accepted. */
export class SendError extends Error {
  readonly status: number | undefined;
  readonly code: string;
  /** The queue works but requires fewer calls: the rate must change, not the messages. */
  readonly isThrottled: boolean;

  constructor(message: string, { status, code, cause }: SendErrorParts) {
    super(message, { cause });
    this.name = 'SendError';
    this.status = status;
    this.code = code;
    this.isThrottled = status === 429 || status === 503 || isThrottlingCode(code);
  }
}

/** AWS has several names for it: RequestThrottled, ThrottlingException, KmsThrottled and more. */
export function isThrottlingCode(code: string): boolean {
  return /throttl|SlowDown|TooManyRequests|RequestLimitExceeded|ServiceUnavailable/i.test(code);
}
