/** The message of anything thrown, unredacted: for logs and objects use `redactedMessageOf` of `redaction.ts`. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
