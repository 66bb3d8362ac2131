/** What somebody has thrown says. It is as they said it: what is told to others goes through `messageOf` of `redaction.ts`. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
