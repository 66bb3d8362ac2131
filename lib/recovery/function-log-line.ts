/** The fields of a function's log line, if Longshore wrote it: Lambda may prefix it, and writes lines of its own. */
export function fieldsOfLine(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text.slice(text.indexOf('{'))) ?? {};
  } catch {
    return {};
  }
}
