/** An error as the clients of the SDK throw it: the same names, and the number of the answer. */
export class FakeStoreError extends Error {
  readonly Code?: string;
  readonly $metadata: { httpStatusCode: number };

  constructor(status: number, code: string, message: string = code) {
    super(message);
    this.name = code;
    this.$metadata = { httpStatusCode: status };
    if (code !== 'Unknown') this.Code = code;
  }
}

/** An answer to HEAD has no body, so nothing is known but its number. */
export function withoutBody(status: number): FakeStoreError {
  return status === 404
    ? new FakeStoreError(404, 'NotFound', 'UnknownError')
    : new FakeStoreError(status, 'Unknown', 'UnknownError');
}

/** IAM's errors are classes of the client, which adds a suffix to their names. */
export function iamError(status: number, code: string, message?: string): FakeStoreError {
  const error = new FakeStoreError(status, code, message);
  error.name = `${code}Exception`;
  return error;
}
